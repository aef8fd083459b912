import type { share as en } from "../en/share.ts";
import type { Catalogue } from "../message.ts";

export const share: Catalogue<typeof en> = {
  "share.title": "通过链接分享",
  "share.text": "将会话的当前内容生成一个网页。在链接过期或被撤销之前，任何拥有链接的人无需令牌即可阅读。",
  "share.lifetime": "有效期",
  "share.days": "{count} 天",
  "share.make": "创建链接",
  "share.once": "请立即复制链接：它不会保存，也不会再次显示。有效期至 {until}。",
  "share.copy": "复制链接",
  "share.done": "完成",
  "share.links": "链接",
  "share.none": "还没有链接。",
  "share.made": "创建于{when}",
  "share.unopened": "从未打开",
  "share.opened": "打开过 {count} 次，最近一次：{when}",
  "share.until": "{day}过期",
  "share.revoke": "撤销",
  "share.revoke_named": "撤销链接：{name}",
  "share.revoked": "链接已撤销。",
  "share.revoke_failed": "无法撤销链接。",
  "share.failed": "无法列出链接",
  "share.off": "分享功能已关闭",
  "share.off_text":
    "请在服务器设置中开启，或在 session-manager.json 中设置 sharing.enabled，然后重启服务。也可以导出会话（替换其中的机密）后发送文件。",
  "share.loopback": "其他人无法打开链接",
  "share.loopback_text":
    "服务只在本机监听。请在它前面设置代理，并将代理的名称加入 allowed_hosts 和 allowed_origins，或让服务监听其他地址。也可以导出会话（替换其中的机密）后发送文件。",
};
