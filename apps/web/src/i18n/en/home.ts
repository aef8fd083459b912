export const home = {
  "home.continue": "Continue where you left off",
  "home.week": "Last 7 days",
  "home.days": "Days",
  "home.quiet": "No messages in this period.",
  "home.nothing": "no messages",
  "home.expiring": {
    one: "{count} session will soon be deleted by its agent",
    other: "{count} sessions will soon be deleted by their agents",
  },
} as const;
