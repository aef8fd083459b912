export const terminals = {
  "terminals.new": "New terminal",
} as const;
