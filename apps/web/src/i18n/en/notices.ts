/** What notifications say; the service worker has these without the rest of the page. */
export const notices = {
  "notices.asks": "The agent is waiting for you.",
  "notices.finished": "The agent is done.",
  "notices.failed": "The agent failed.",
  "notices.ended": "The agent has exited.",
  "notices.added": "This device now gets notifications.",
} as const;
