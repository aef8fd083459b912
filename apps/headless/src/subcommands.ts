/** The names of all subcommands, for what has to be known before the parser is loaded. */
export const SUBCOMMANDS: ReadonlySet<string> = new Set([
  "list",
  "search",
  "show",
  "export",
  "rename",
  "delete",
  "call",
  "token",
  "help",
]);
