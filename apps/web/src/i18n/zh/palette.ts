import type { palette as en } from "../en/palette.ts";
import type { Catalogue } from "../message.ts";

export const palette: Catalogue<typeof en> = {
  "palette.open": "显示所有可用操作",
  "palette.title": "命令面板",
  "palette.field": "输入操作、会话、项目或标签",
  "palette.nothing": "没有匹配的名称",
  "palette.recent": "最近使用",
  "palette.actions": "操作",
  "palette.sessions": "会话",
  "palette.projects": "项目",
  "palette.tags": "标签",
  "palette.searches": "已保存的搜索",
};
