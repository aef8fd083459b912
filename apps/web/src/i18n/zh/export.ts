import type { exporting as en } from "../en/export.ts";
import type { Catalogue } from "../message.ts";

export const exporting: Catalogue<typeof en> = {
  "export.now": "按上次的设置导出",
  "export.choose": "导出…",
  "export.print": "打印",
  "export.printing": "正在准备打印…",
  "export.hand_over": "移交…",
  "share.choose": "分享…",
  "export.begun": "下载已开始。",
  "export.failed": "导出失败。",
  "export.blocked": "浏览器阻止了新标签页。请允许此页面的弹出窗口，或改为保存导出文件。",
};
