import type { dialogs as en } from "../en/dialogs.ts";
import type { Catalogue } from "../message.ts";

export const dialogs: Catalogue<typeof en> = {
  "connection.token_text":
    "从其他机器或账户连接需要令牌，有些服务器对所有人都有此要求。请在服务器上创建令牌：在设置的“访问令牌”中，或以服务的账户运行 session-cli token create NAME。",
  "connection.token": "令牌",
  "connection.token_wrong": "服务不接受此令牌。",
  "connection.token_remember": "在此浏览器中记住",
  "connection.token_remember_hint": "否则关闭标签页后需要重新输入。",
  "connection.token_use": "继续",
  "list.archive_age": "多久没有新消息",
  "list.archive_days": "{count} 天",
  "list.archive_preview": "{count} 个会话，共 {size}。收藏和实时会话除外。",
  "list.archive_keeps": "归档的会话不再显示在列表和搜索中，文件保持不变。",
  "list.delete_question": { one: "删除此会话？", other: "删除 {count} 个会话？" },
  "list.deleted_along": "以下相关内容也会删除：",
  "list.deleted_subagents": "{count} 个子智能体的会话",
  "list.deleted_files": "{count} 个其他文件，例如工具结果和图片",
  "list.deleted_size": "除会话本身外共 {size}。",
  "list.deleted_more": "只检查了前面的会话，可能还有更多。",
  "list.delete_live": "有智能体正在使用此会话",
  "list.delete_live_text": "如果它继续工作，会重新写入文件，但不包含之前的消息。",
  "list.delete_anyway": "仍然删除",
  "list.restore_file": "恢复文件",
  "list.file_restored": "会话文件已恢复。",
  "list.restore_file_failed": "无法恢复会话文件。",
};
