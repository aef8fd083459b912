import type { home as en } from "../en/home.ts";
import type { Catalogue } from "../message.ts";

export const home: Catalogue<typeof en> = {
  "home.continue": "继续上次的工作",
  "home.week": "最近 7 天",
  "home.days": "每日",
  "home.quiet": "这段时间没有消息。",
  "home.nothing": "没有消息",
  "home.expiring": "{count} 个会话即将被其智能体删除",
};
