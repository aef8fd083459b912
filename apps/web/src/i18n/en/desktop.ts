export const desktop = {
  "desktop.reveal": "Show in the file manager",
  "desktop.reveal_failed": "The file could not be shown.",
  "desktop.open_in_browser": "Open in the browser",
  "desktop.saved": "Saved as {path}",
  "desktop.outside":
    "{path} is not in a session directory. Add the folder that it is in to the session directories, then open it again.",
  "desktop.to_directories": "Session directories",
  "desktop.not_now": "That cannot be done here. Some things need a session that is open.",
  "desktop.agent_finished": "The agent has finished.",
  "desktop.agent_asks": "The agent asks you something.",
  "desktop.agent_ended": "The agent has ended.",
} as const;
