import type { rail as en } from "../en/rail.ts";
import type { Catalogue } from "../message.ts";

export const rail: Catalogue<typeof en> = {
  "rail.label": "导航",
  "rail.collapse": "隐藏导航",
  "rail.expand": "显示导航",
  "rail.sessions": "会话",
  "rail.favorites": "收藏",
  "rail.archived": "归档",
  "rail.live": "实时",
  "rail.search": "搜索",
  "rail.terminals": "终端",
  "rail.statistics": "统计",
  "rail.settings": "设置",
  "rail.projects": "项目",
  "rail.tags": "标签",
  "rail.saved_searches": "已保存的搜索",
  "rail.show_all": "再显示 {count} 个",
  "rail.show_fewer": "收起",
  "rail.no_project": "无目录",
  "rail.forget_search": "删除 {name}",
};
