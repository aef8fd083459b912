import type { palette as en } from "../en/palette.ts";
import type { Catalogue } from "../message.ts";

export const palette: Catalogue<typeof en> = {
  "palette.open": "显示所有命令",
  "palette.title": "命令面板",
  "palette.field": "输入命令、会话、项目或标签",
  "palette.recent_sessions": "最近的会话",
  "palette.settings": "设置",
  "palette.search": "搜索",
  "palette.search_text": "在全部文本中搜索“{query}”",
  "palette.words_statistics": "统计 用量 分析 词元 token 费用 花费 图表 stats",
  "palette.words_live": "智能体 运行 面板 live",
  "palette.words_terminals": "命令行 控制台 shell",
  "palette.words_settings": "偏好 选项 配置",
  "palette.words_theme": "主题 颜色 外观 深色 浅色 theme",
  "palette.words_shortcuts": "按键 键盘 快捷键 帮助",
  "palette.words_directories": "会话目录 文件夹 路径",
  "palette.words_api_keys": "api 密钥 token key",
  "palette.words_versions": "历史 备份 恢复",
  "palette.words_vault": "备份 保留 过期",
  "palette.recent": "最近使用",
  "palette.actions": "操作",
  "palette.sessions": "会话",
  "palette.projects": "项目",
  "palette.tags": "标签",
  "palette.searches": "已保存的搜索",
};
