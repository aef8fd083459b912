export interface TerminalOptions {
  /** Absolute path of an existing directory. */
  cwd: string;
  /** 1 to 1,000. */
  cols: number;
  /** 1 to 1,000. */
  rows: number;
  /** Path or name of a program; default: the user's shell. */
  shell?: string | undefined;
  /** ID of the API token that opened it; the terminal closes when the token ends. `null` if none was required. */
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
  /** `null` while its program is running. */
  exit: TerminalExit | null;
}

export interface TerminalExit {
  /** `null` if it was ended by a signal. */
  exit_code: number | null;
  /** For example `SIGHUP`. */
  signal: string | null;
}

export interface AttachedTerminal {
  id: string;
  cols: number;
  rows: number;
  /** Number of the last output in `data`; later output follows as `terminal-output`. */
  seq: number;
  /** Kept scrollback: at least the last MiB. Never starts within a character or an escape sequence. */
  data: string;
  /**
   * Terminal sizes for `data`: UTF-16 offset from which each applies (the first is 0), columns and rows. The last one
   * is the current size.
   */
  sizes: [offset: number, cols: number, rows: number][];
}

/**
 * Terminals of the service, which outlive their clients.
 *
 * Rejects with AppError `NOT_FOUND` for an unknown terminal, and `CONFLICT` for writing to one whose program has ended.
 */
export interface TerminalService {
  /** Rejects with AppError `UNAVAILABLE` if node-pty cannot be loaded, and `FORBIDDEN` if terminals are disabled. */
  checkAvailable(): Promise<void>;
  /** Rejects with AppError `INVALID_PAYLOAD` for a missing directory or shell. */
  create(options: TerminalOptions): Promise<Terminal>;
  /** Writes input. */
  write(id: string, data: string): Promise<{ id: string }>;
  resize(id: string, cols: number, rows: number): Promise<{ id: string }>;
  /** Ends all processes of a terminal and removes it. */
  close(id: string): Promise<{ id: string }>;
  /** Oldest first, including ended ones until they are closed. */
  list(): Promise<ListedTerminal[]>;
  /**
   * Returns the scrollback after output `afterSeq`; all of it for `null`, or if that output is no longer kept. Resolves
   * in the last microtask: a caller that subscribes immediately misses nothing.
   */
  attach(id: string, afterSeq: number | null): Promise<AttachedTerminal>;
}
