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
  /** What its program says about itself, if it says anything. */
  status: ProgramStatus | null;
  /** `null` while its program is running. */
  exit: TerminalExit | null;
  /** `null` while its program is running. */
  ended_at: string | null;
}

/** States of the Program Status Protocol. `blocked`: the program waits for its user. */
export const PROGRAM_STATES = ["idle", "working", "blocked", "done", "error"] as const;

/** What a program that is blocked waits for. */
export const PROMPT_KINDS = ["permission", "question", "auth"] as const;

/**
 * Status that a program in a terminal reports with the Program Status Protocol (OSC 7501). Texts are the program's own,
 * in one line without control characters.
 */
export interface ProgramStatus {
  state: (typeof PROGRAM_STATES)[number];
  /** Name of the program. */
  app: string | null;
  /** `null` unless it is blocked, and if it does not say. */
  kind: (typeof PROMPT_KINDS)[number] | null;
  title: string | null;
  /** For example the name of the session, the question, or the first line of the error. */
  message: string | null;
  /** In percent. */
  progress: number | null;
  /** When it got into this state. */
  since: string;
  /** ID of the process group that reported it, for an agent that of its process; `null` if unknown. */
  process_group: number | null;
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
