export const palette = {
  "palette.open": "Show everything that can be done",
  "palette.title": "Command palette",
  "palette.field": "Type what to do, or a session, project or tag",
  "palette.nothing": "Nothing is called that",
  "palette.recent": "Used last",
  "palette.actions": "Actions",
  "palette.sessions": "Sessions",
  "palette.projects": "Projects",
  "palette.tags": "Tags",
  "palette.searches": "Saved searches",
} as const;
