export interface TerminalOptions {
  /** An absolute, existing directory. */
  cwd: string;
  /** 1 to 1,000. */
  cols: number;
  /** 1 to 1,000. */
  rows: number;
  /** Path or name of a program; the user's shell where absent. */
  shell?: string | undefined;
  /** Id of the API token of whoever opens it, with which it ends; `null` where none was needed. */
  tokenId?: string | null | undefined;
}

/** A shell or another program in a pseudo-terminal. */
export interface Terminal {
  id: string;
  cwd: string;
  shell: string;
  pid: number;
  cols: number;
  rows: number;
}

export interface ListedTerminal extends Terminal {
  started_at: string;
  /** `null` while its program runs. */
  exit: TerminalExit | null;
}

export interface TerminalExit {
  /** `null` where a signal ended it. */
  exit_code: number | null;
  /** For example `SIGHUP`. */
  signal: string | null;
}

export interface AttachedTerminal {
  id: string;
  cols: number;
  rows: number;
  /** Number of the last output that `data` holds; what comes as `terminal-output` goes on after it. */
  seq: number;
  /** What the scrollback still holds: at least the last MiB. Never begins within a character or an escape sequence. */
  data: string;
  /**
   * The sizes for which `data` was written: from which character of it on (UTF-16 units, the first 0), columns and rows.
   * The last is the present size.
   */
  sizes: [offset: number, cols: number, rows: number][];
}

/**
 * The terminals of the service, which live on when their clients go.
 *
 * Rejects with AppError `NOT_FOUND` for a terminal that does not exist, and `CONFLICT` for writing to one whose program
 * has ended.
 */
export interface TerminalService {
  /**
   * Rejects with AppError `UNAVAILABLE` where node-pty cannot be loaded, and `FORBIDDEN` where terminals are turned off.
   */
  checkAvailable(): Promise<void>;
  /** Rejects with AppError `INVALID_PAYLOAD` for a directory or a shell that does not exist. */
  create(options: TerminalOptions): Promise<Terminal>;
  /** Sends text as if it were typed. */
  write(id: string, data: string): Promise<{ id: string }>;
  resize(id: string, cols: number, rows: number): Promise<{ id: string }>;
  /** Ends its program and everything that it has started, and forgets the terminal. */
  close(id: string): Promise<{ id: string }>;
  /** The oldest first, ended ones included until they are closed. */
  list(): Promise<ListedTerminal[]>;
  /**
   * Takes what the scrollback holds after output `afterSeq`; all of it for `null`, or where that output is gone. The
   * answer is made in the last step: who subscribes before the next event of the loop misses nothing.
   */
  attach(id: string, afterSeq: number | null): Promise<AttachedTerminal>;
}
