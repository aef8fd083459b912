import { PROGRAM_STATES, PROMPT_KINDS } from "@sm/core";
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

/** `ProgramStatus` of the core. */
const programStatus = v.strictObject({
  state: v.picklist(PROGRAM_STATES),
  app: v.nullable(v.string()),
  kind: v.nullable(v.picklist(PROMPT_KINDS)),
  title: v.nullable(v.string()),
  message: v.nullable(v.string()),
  progress: v.nullable(v.number()),
  since: v.string(),
  process_group: v.nullable(v.number()),
});

/** `ListedTerminal` of the core. */
export const listedTerminal = v.strictObject({
  ...terminal.entries,
  started_at: v.string(),
  status: v.pipe(
    v.nullable(programStatus),
    v.description("What its program reports by the Program Status Protocol (OSC 7501)."),
  ),
  exit: v.nullable(terminalExit),
  ended_at: v.nullable(v.string()),
});
