import type { shortcuts as en } from "../en/shortcuts.ts";
import type { Catalogue } from "../message.ts";

export const shortcuts: Catalogue<typeof en> = {
  "shortcuts.title": "键盘快捷键",
  "shortcuts.show": "显示键盘快捷键",
  "shortcuts.group_go": "前往",
  "shortcuts.group_list": "列表",
  "shortcuts.group_focused_list": "焦点在列表中时",
  "shortcuts.group_session": "会话",
  "shortcuts.group_view": "视图",
  "shortcuts.group_live": "实时",
  "shortcuts.go_sessions": "会话",
  "shortcuts.go_archived": "前往归档的会话",
  "shortcuts.undo": "撤销上一次更改",
  "shortcuts.go_search": "搜索",
  "shortcuts.go_live": "实时",
  "shortcuts.go_terminals": "终端",
  "shortcuts.go_statistics": "统计",
  "shortcuts.go_settings": "设置",
  "shortcuts.toggle_rail": "显示或隐藏导航",
  "shortcuts.toggle_theme": "切换浅色与深色",
};
