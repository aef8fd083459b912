import type { desktop as en } from "../en/desktop.ts";
import type { Catalogue } from "../message.ts";

export const desktop: Catalogue<typeof en> = {
  "desktop.reveal": "在文件管理器中显示",
  "desktop.reveal_failed": "无法显示该文件。",
  "desktop.open_in_browser": "在浏览器中打开",
  "desktop.saved": "已保存为 {path}",
  "desktop.outside": "{path} 不在会话目录中。请把它所在的文件夹添加到会话目录，然后重新打开。",
  "desktop.to_directories": "会话目录",
  "desktop.back": "后退",
  "desktop.forward": "前进",
  "desktop.unknown_link": "未打开任何内容：此链接在 Session Manager 中没有对应的位置。{link}",
  "desktop.not_now": "此处无法执行该操作。有些操作需要先打开一个会话。",
};
