export const handOver = {
  "hand_over.title": "Hand over",
  "hand_over.agent": "Hand over to",
  "hand_over.about_pi":
    "Writes the branch as a new pi session, with its tool calls and results. This session stays as it is.",
  "hand_over.about_brief":
    "Creates a brief with the goal, decisions, files, failed commands and open points, and a command that starts {agent} with it. Secrets are replaced.",
  "hand_over.start": "Hand over",
  "hand_over.busy": "Handing over…",
  "hand_over.failed": "Could not hand over the session.",
  "hand_over.command": "Command",
  "hand_over.copy_command": "Copy command",
  "hand_over.command_hint": "For a terminal on the machine that runs the service.",
  "hand_over.brief": "Brief",
  "hand_over.copy_brief": "Copy brief",
  "hand_over.brief_hint":
    "The rules find what looks like a secret and may miss some. The service keeps the file for a week.",
  "hand_over.written": "New session: {title}",
  "hand_over.open": "Open",
  "hand_over.continue": "Continue here",
} as const;
