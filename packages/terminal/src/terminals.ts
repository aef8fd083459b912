import { randomUUID } from "node:crypto";
import {
  AppError,
  type AttachedTerminal,
  type ListedTerminal,
  type Terminal,
  type TerminalOptions,
  type TerminalService,
} from "@sm/core";
import { loginEnvironment } from "./environment.ts";
import { accountOf, checkDirectory, findShell, loginArguments, usersShell } from "./login-shell.ts";
import { loadNodePty } from "./node-pty.ts";
import { endSessions } from "./process-session.ts";
import type { PtyProgram, StartPty } from "./pty.ts";
import { OpenTerminal } from "./terminal.ts";
import type { TerminalLog, TerminalOutput } from "./terminal-output.ts";

/** Each has some megabytes of scrollback. */
const MAX_TERMINALS = 100;
/** Limit of columns and rows: some programs allocate memory for all cells. */
const MAX_CELLS = 1_000;

export interface TerminalsOptions {
  /** `false` if the configuration disables terminals. */
  enabled: boolean;
  /** Lifetime of an unused terminal in milliseconds. */
  idleMs: number;
  /** Environment of the service. Its private and secret variables are not passed on. */
  env: NodeJS.ProcessEnv;
  /** The user's home directory. */
  home: string;
  /** URL of the service for programs in a terminal. */
  serviceUrl: string;
  /** The service's data directory, with its `server.json`. */
  dataDir: string;
  output: TerminalOutput;
  /**
   * Calls back when an API token ends; returns a function that stops this. Without it, terminals outlive their tokens.
   */
  onTokenEnd?: (id: string, listener: () => void) => () => void;
  log: TerminalLog;
}

/** The terminals of a service. */
export interface Terminals extends TerminalService {
  /** Number of terminals, including ended ones. */
  readonly count: number;
  /** Closes all terminals and ends their processes. */
  closeAll(): Promise<void>;
}

/** Creates the terminals of a service; loads nothing before the first one. */
export function openTerminals(options: TerminalsOptions): Terminals {
  return new PtyTerminals(options);
}

class PtyTerminals implements Terminals {
  readonly #options: TerminalsOptions;
  readonly #terminals = new Map<string, OpenTerminal>();
  /** Functions that stop watching the terminals' tokens. */
  readonly #tokenWatches = new Map<OpenTerminal, () => void>();
  /** Closed terminals whose processes are being ended. */
  readonly #closing = new Map<OpenTerminal, Promise<void>>();
  #isClosed = false;

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#terminals.size;
  }

  async checkAvailable(): Promise<void> {
    await this.#load();
  }

  async create(options: TerminalOptions): Promise<Terminal> {
    const start = await this.#load();
    checkSize(options.cols, options.rows);
    const program = await this.#programOf(options);
    if (this.#isClosed) throw new AppError("UNAVAILABLE", "The service is stopping.");
    if (this.#terminals.size + this.#closing.size >= MAX_TERMINALS) {
      throw new AppError("CONFLICT", `There are already ${MAX_TERMINALS} terminals; close one.`);
    }
    const id = randomUUID();
    const terminal = this.#start(id, program, start);
    this.#terminals.set(id, terminal);
    this.#watchToken(id, terminal, options.tokenId ?? null);
    this.#options.output.publish({ type: "changed", id });
    return terminal.facts;
  }

  async write(id: string, data: string): Promise<{ id: string }> {
    this.#terminal(id).write(data);
    return { id };
  }

  async resize(id: string, cols: number, rows: number): Promise<{ id: string }> {
    checkSize(cols, rows);
    this.#terminal(id).resize(cols, rows);
    return { id };
  }

  async close(id: string): Promise<{ id: string }> {
    const terminal = this.#terminal(id);
    this.#terminals.delete(id);
    await this.#end([terminal]);
    this.#options.output.publish({ type: "changed", id });
    return { id };
  }

  async list(): Promise<ListedTerminal[]> {
    return Array.from(this.#terminals.values(), (terminal) => terminal.listed);
  }

  async attach(id: string, afterSeq: number | null): Promise<AttachedTerminal> {
    return this.#terminal(id).attach(afterSeq);
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#terminals.values()];
    this.#terminals.clear();
    await Promise.all([this.#end(open), ...this.#closing.values()]);
  }

  async #load(): Promise<StartPty> {
    if (this.#options.enabled) return loadNodePty();
    throw new AppError("FORBIDDEN", "Terminals are turned off: terminals_enabled is false in session-manager.json.");
  }

  async #programOf({ cwd, cols, rows, shell }: TerminalOptions): Promise<PtyProgram> {
    await checkDirectory(cwd);
    const { env, home, serviceUrl, dataDir } = this.#options;
    const file = shell === undefined ? await usersShell(env) : await findShell(shell, { env, cwd });
    const login = { user: accountOf(env).name, home, shell: await usersShell(env), cwd, serviceUrl, dataDir };
    return { file, args: loginArguments(file), env: loginEnvironment(env, login), cwd, cols, rows };
  }

  #start(id: string, program: PtyProgram, start: StartPty): OpenTerminal {
    const { output, idleMs } = this.#options;
    try {
      return new OpenTerminal({ id, program, start, output, idleMs, onIdle: () => this.#closeIdle(id) });
    } catch (error) {
      throw new AppError("UNAVAILABLE", "The system has no free terminals or processes.", { cause: error });
    }
  }

  #terminal(id: string): OpenTerminal {
    const terminal = this.#terminals.get(id);
    if (terminal === undefined) throw new AppError("NOT_FOUND", `There is no terminal ${id}.`);
    return terminal;
  }

  #watchToken(id: string, terminal: OpenTerminal, tokenId: string | null): void {
    const { onTokenEnd } = this.#options;
    if (tokenId === null || onTokenEnd === undefined) return;
    const stop = onTokenEnd(tokenId, () => this.#closeUnasked(id, "closing a terminal whose API token has ended"));
    this.#tokenWatches.set(terminal, stop);
  }

  #closeIdle(id: string): void {
    this.#closeUnasked(id, "closing a terminal that nobody uses", { idle_ms: this.#options.idleMs });
  }

  #closeUnasked(id: string, reason: string, fields: object = {}): void {
    const { log } = this.#options;
    log.info({ terminal: id, ...fields }, reason);
    this.close(id).catch((error: unknown) => log.warn({ err: error, terminal: id }, "could not close a terminal"));
  }

  async #end(terminals: OpenTerminal[]): Promise<void> {
    const ending = endTerminals(terminals);
    for (const terminal of terminals) {
      this.#closing.set(terminal, ending);
      this.#tokenWatches.get(terminal)?.();
      this.#tokenWatches.delete(terminal);
    }
    try {
      await ending;
    } finally {
      for (const terminal of terminals) this.#closing.delete(terminal);
    }
  }
}

async function endTerminals(terminals: OpenTerminal[]): Promise<void> {
  for (const terminal of terminals) terminal.beginToClose();
  try {
    await endSessions(terminals.flatMap(({ session }) => session ?? []));
  } finally {
    await Promise.all(terminals.map((terminal) => terminal.close()));
  }
}

function checkSize(cols: number, rows: number): void {
  for (const [path, value] of Object.entries({ cols, rows })) {
    if (Number.isInteger(value) && value >= 1 && value <= MAX_CELLS) continue;
    const message = `${path} must be a whole number from 1 to ${MAX_CELLS}.`;
    throw new AppError("INVALID_PAYLOAD", message, { details: [{ path, message }] });
  }
}
