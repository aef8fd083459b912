export const home = {
  "home.continue": "Continue where you were",
  "home.week": "Last 7 days",
  "home.days": "Days",
  "home.quiet": "No messages in this time.",
  "home.nothing": "nothing",
  "home.expiring": {
    one: "{count} session is deleted by its agent soon",
    other: "{count} sessions are deleted by their agents soon",
  },
} as const;
