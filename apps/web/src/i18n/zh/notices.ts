import type { notices as en } from "../en/notices.ts";

export const notices: Readonly<Record<keyof typeof en, string>> = {
  "notices.asks": "智能体在等你回答。",
  "notices.finished": "智能体已完成。",
  "notices.failed": "智能体运行失败。",
  "notices.ended": "智能体已退出。",
  "notices.added": "此设备将收到通知。",
};
