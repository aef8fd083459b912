export const palette = {
  "palette.open": "Show all commands",
  "palette.title": "Command palette",
  "palette.field": "Type a command, session, project or tag",
  "palette.nothing": "No matches",
  "palette.recent": "Recently used",
  "palette.actions": "Actions",
  "palette.sessions": "Sessions",
  "palette.projects": "Projects",
  "palette.tags": "Tags",
  "palette.searches": "Saved searches",
} as const;
