/** What a terminal tells those who watch it; `seq` grows by one with each output of this terminal. */
export type TerminalEvent =
  | { type: "output"; id: string; seq: number; data: string }
  | { type: "exit"; id: string; exit_code: number | null; signal: string | null };

/** What a terminal is told about those who watch it. */
export interface TerminalWatcher {
  /** Whether even the fastest of them has too much left to read. */
  onBehind(isBehind: boolean): void;
  /** How many they are, at every change. */
  onAudience(subscribers: number): void;
}

/** Where the terminals send their output. */
export interface TerminalOutput {
  publish(event: TerminalEvent): void;
  /** Returns a function that ends it. */
  watch(id: string, watcher: TerminalWatcher): () => void;
}

/** Where the terminals say what happened, in the shape of pino and its like. */
export interface TerminalLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
