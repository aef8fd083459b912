import type { live as en } from "../en/live.ts";
import type { Catalogue } from "../message.ts";

export const live: Catalogue<typeof en> = {
  "live.new": "新建实时会话",
  "live.resume": "继续",
  "live.resume_session": "作为实时会话继续",
  "live.resume_failed": "无法继续该会话。",
};
