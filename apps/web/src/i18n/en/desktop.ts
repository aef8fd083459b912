export const desktop = {
  "desktop.reveal": "Show in the file manager",
  "desktop.reveal_failed": "Could not show the file.",
  "desktop.open_in_browser": "Open in browser",
  "desktop.saved": "Saved as {path}",
  "desktop.outside":
    "{path} is not in a session directory. Add its folder to the session directories, then open it again.",
  "desktop.to_directories": "Session directories",
  "desktop.back": "Back",
  "desktop.forward": "Forward",
  "desktop.unknown_link": "Nothing was opened: this link leads to no place in Session Manager. {link}",
  "desktop.not_now": "This is not available here. Some actions need an open session.",
} as const;
