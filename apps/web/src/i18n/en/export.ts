export const exporting = {
  "export.now": "Export with the last settings",
  "export.choose": "Export…",
  "export.print": "Print",
  "export.printing": "Preparing to print…",
  "export.hand_over": "Hand over…",
  "share.choose": "Share…",
  "export.begun": "Download started.",
  "export.failed": "Export failed.",
  "export.blocked": "The browser blocked the new tab. Allow pop-ups for this page, or save the export instead.",
} as const;
