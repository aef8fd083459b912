import type { TerminalExit } from "@sm/core";

/** What is started in a pseudo-terminal. */
export interface PtyProgram {
  /** Path of the program. */
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  cols: number;
  rows: number;
}

export interface PtyListener {
  /** Output, decoded. Never within the call that starts the program. */
  onData(text: string): void;
  /** After all output: no more comes. */
  onExit(exit: TerminalExit): void;
}

/** A program in a pseudo-terminal. */
export interface Pty {
  readonly pid: number;
  /** Device of the terminal; `null` on Windows, where closing it ends its processes. */
  readonly device: string | null;
  /** Whether the program runs: its process id is another's some time after that. */
  readonly isRunning: boolean;
  /** Bytes of input that the program has left no room for yet. */
  readonly waiting: number;
  /** Sends input. Nothing happens once the terminal is closed; so with `resize`. */
  write(data: string): void;
  resize(cols: number, rows: number): void;
  /** Leaves output where it is, so that the program waits when the system's buffer is full. */
  pause(): void;
  resume(): void;
  /** Gives the terminal back to the system. The exit is told if it has not been. */
  close(): void;
}

/** Starts a program. Throws where the system has no terminal or no process left. */
export type StartPty = (program: PtyProgram, listener: PtyListener) => Pty;
