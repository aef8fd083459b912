import type { connection as en } from "../en/connection.ts";
import type { Catalogue } from "../message.ts";

export const connection: Catalogue<typeof en> = {
  "connection.open": "已连接",
  "connection.over_http": "已通过 HTTP 连接（WebSocket 不可用）",
  "connection.connecting": "正在连接…",
  "connection.waiting": "连接已断开，正在重新连接…",
  "connection.refused": "服务拒绝了此页面：{reason}",
  "connection.no_answer": "Session Manager 没有响应，它在运行吗？",
  "connection.token_title": "此服务需要令牌",
  "connection.token_text":
    "你使用的是另一台机器或另一个账户，或者服务要求所有人出示令牌。请在运行服务的机器上以服务的账户创建令牌：在设置的“API 密钥”中，或使用 session-cli token create 名称。",
  "connection.token": "令牌",
  "connection.token_wrong": "服务不接受此令牌。",
  "connection.token_remember": "在此浏览器中记住",
  "connection.token_remember_hint": "否则关闭标签页后即被遗忘。",
  "connection.token_use": "继续",
};
