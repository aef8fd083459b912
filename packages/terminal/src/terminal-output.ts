/** Events of a terminal; `seq` increases by one with each output. */
export type TerminalEvent =
  | { type: "output"; id: string; seq: number; data: string }
  | { type: "exit"; id: string; exit_code: number | null; signal: string | null }
  /** What `list` says about it has changed: it was opened or closed, has ended, or its program has another status. */
  | { type: "changed"; id: string };

/** Receives information about a terminal's subscribers. */
export interface TerminalWatcher {
  /** Whether even the fastest subscriber has too much unread output. */
  onBehind(isBehind: boolean): void;
  /** Number of subscribers, at every change. */
  onAudience(subscribers: number): void;
}

/** Destination of the terminals' output. */
export interface TerminalOutput {
  publish(event: TerminalEvent): void;
  /** Returns a function that stops it. */
  watch(id: string, watcher: TerminalWatcher): () => void;
}

/** Log of the terminals; compatible with pino. */
export interface TerminalLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
