import type { push as en } from "../en/push.ts";
import type { Catalogue } from "../message.ts";

export const push: Catalogue<typeof en> = {
  "push.title": "页面关闭时",
  "push.switch": "智能体提问、失败或完成时通知此设备",
  "push.hint": "消息经由浏览器的推送服务传送，全程加密，只有此设备能读取。内容包括会话名称和智能体的问题。",
  "push.insecure": "浏览器只允许在 HTTPS 页面，或在运行服务的机器上使用此功能。",
  "push.unsupported": "此浏览器不支持。在 iPhone 或 iPad 上，请先把页面添加到主屏幕。",
  "push.denied": "浏览器已阻止此页面的通知。请在浏览器的网站设置中允许，然后重新加载页面。",
  "push.failed": "无法开启通知。",
  "push.devices": "接收通知的设备",
  "push.this_device": "此设备",
  "push.since": "自{when}起",
  "push.remove": "移除",
  "push.remove_named": "移除 {name}",
  "push.remove_failed": "无法移除该设备。",
  "push.removed": "{name} 不再接收通知",
  "push.unknown_browser": "浏览器",
  "push.browser_on": "{system} 上的 {browser}",
};
