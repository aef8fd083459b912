/** What notifications say; the service worker has these without the rest of the page. */
export const notices = {
  "notices.asks": "The agent waits for you.",
  "notices.finished": "The agent is done.",
  "notices.failed": "The agent has failed.",
  "notices.ended": "The agent has exited.",
  "notices.added": "Notifications arrive on this device.",
} as const;
