import type { connection as en } from "../en/connection.ts";
import type { Catalogue } from "../message.ts";

export const connection: Catalogue<typeof en> = {
  "connection.open": "已连接",
  "connection.over_http": "已通过 HTTP 连接（WebSocket 不可用）",
  "connection.connecting": "正在连接…",
  "connection.waiting": "连接已断开，正在重新连接…",
  "connection.refused": "服务拒绝了此页面：{reason}",
  "connection.no_answer": "Session Manager 没有响应。请确认它正在运行。",
  "connection.token_title": "需要访问令牌",
};
