import type { TerminalExit } from "@sm/core";

/** A program to start in a pseudo-terminal. */
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
  /** Decoded output. Never called synchronously by the call that starts the program. */
  onData(text: string): void;
  /** Called after all output. */
  onExit(exit: TerminalExit): void;
}

/** A program in a pseudo-terminal. */
export interface Pty {
  readonly pid: number;
  /** The terminal's device; `null` on Windows, where closing it ends its processes. */
  readonly device: string | null;
  /** Whether the program is running: its process ID is reused some time after its end. */
  readonly isRunning: boolean;
  /** Bytes of input that the program has not accepted yet. */
  readonly waiting: number;
  /** Sends input. Does nothing after the terminal is closed; the same applies to `resize`. */
  write(data: string): void;
  resize(cols: number, rows: number): void;
  /** Stops reading, so that the program blocks when the system's buffer is full. */
  pause(): void;
  resume(): void;
  /** Releases the terminal. Reports the exit if that was not done. */
  close(): void;
}

/** Starts a program. Throws if the system has no free terminal or process. */
export type StartPty = (program: PtyProgram, listener: PtyListener) => Pty;
