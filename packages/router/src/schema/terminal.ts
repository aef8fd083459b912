import * as v from "./json.ts";

/** `Terminal` of the core. */
export const terminal = v.strictObject({
  id: v.string(),
  cwd: v.string(),
  shell: v.string(),
  pid: v.number(),
  cols: v.number(),
  rows: v.number(),
});

/** `TerminalExit` of the core. */
export const terminalExit = v.strictObject({ exit_code: v.nullable(v.number()), signal: v.nullable(v.string()) });
