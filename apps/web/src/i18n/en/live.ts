export const live = {
  "live.new": "New live session",
  "live.resume": "Resume",
  "live.resume_session": "Resume as a live session",
  "live.resume_failed": "Could not resume the session.",
} as const;
