import type { push as en } from "../en/push.ts";
import type { Catalogue } from "../message.ts";

export const push: Catalogue<typeof en> = {
  "push.title": "页面关闭时",
  "push.switch": "智能体提问、失败或完成时通知此设备",
  "push.hint": "消息经由浏览器的推送服务传送，全程加密，只有此设备能读取。内容包括会话名称和智能体的问题。",
  "push.insecure": "需要 HTTPS，或在运行服务的机器上打开页面：浏览器只允许在这些情况下使用。",
  "push.unsupported": "此浏览器不支持。在 iPhone 或 iPad 上，请先把页面添加到主屏幕。",
  "push.denied": "浏览器设置中已阻止此页面的通知。",
  "push.failed": "无法开启通知。",
  "push.devices": "接收通知的设备",
  "push.this_device": "此设备",
  "push.since": "自{when}起",
  "push.remove": "移除",
  "push.remove_named": "移除 {name}",
  "push.remove_failed": "无法移除该设备。",
  "push.removed": "不再通知 {name}",
  "push.unknown_browser": "浏览器",
  "push.browser_on": "{system} 上的 {browser}",
};
