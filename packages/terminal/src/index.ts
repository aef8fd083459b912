/// <reference types="node" preserve="true" />
export type { TerminalEvent, TerminalLog, TerminalOutput, TerminalWatcher } from "./terminal-output.ts";
export { openTerminals, type Terminals, type TerminalsOptions } from "./terminals.ts";
