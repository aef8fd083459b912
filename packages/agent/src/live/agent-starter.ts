import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { AppError, onlyReadError, type SessionRecord, type StartOptions } from "@sm/core";
import type { AgentProgram } from "./agent-program.ts";
import { normalizedName } from "./controlled-session.ts";
import { lastEntryId } from "./last-entry.ts";
import type { EntryCursor } from "./reconciliation.ts";
import { type LiveTimes, RpcSession } from "./rpc-session.ts";
import type { SessionList } from "./session-list.ts";

/** A stored session, as the library knows it. */
export type StoredSession = Pick<SessionRecord, "path" | "id" | "cwd" | "format" | "capabilities" | "source">;

export interface StarterOptions {
  sessions: SessionList;
  /** Agent directory, passed on to the agents. */
  agentDir: string;
  env: NodeJS.ProcessEnv;
  /** Finds a stored session; rejects like the library for other paths. */
  resolveSession(path: string): Promise<StoredSession>;
  times: LiveTimes;
  /** Maximum number of running agents; default 50, because an agent uses about 140 MB. */
  most?: number;
}

interface Reservation {
  stored: StoredSession | null;
  session: RpcSession | null;
}

const MAX_RUNNING = 50;
/** The service's own configuration, which may contain secrets, and its setting of the C library. */
const OWN_VARIABLE = /^(SESSION_MANAGER_|MALLOC_TRIM_THRESHOLD_$)/;
/** A token of the service in any variable: the agent's tools see the environment. */
const TOKEN = /\bsm_[A-Za-z0-9_-]{43}/;

/** Starts the service's agents: at most one per session file, and a limited number. */
export class AgentStarter {
  readonly #options: StarterOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #reservations = new Set<Reservation>();
  #isClosed = false;

  constructor(options: StarterOptions) {
    this.#options = options;
    const inherited = Object.entries(options.env).filter(
      ([name, value]) => !OWN_VARIABLE.test(name) && !TOKEN.test(value ?? ""),
    );
    this.#env = { ...Object.fromEntries(inherited), PI_CODING_AGENT_DIR: options.agentDir };
  }

  /** Agents that are not ready yet. */
  get starting(): RpcSession[] {
    return [...this.#reservations].flatMap(({ session }) => session ?? []);
  }

  async start(program: AgentProgram, { cwd, session_path, model, name }: StartOptions): Promise<RpcSession> {
    const stored = session_path === undefined ? null : await this.#options.resolveSession(session_path);
    // The agent would write its own lines into a file of another one.
    if (stored?.capabilities.start === false) throw onlyReadError(stored, "started");
    const directory = await checkedDirectory(stored, cwd);
    if (model?.includes("\0") === true) throw unfit("model", "No model has this name.");
    // Synchronous from check to reservation: no session is started twice.
    this.#refuse(stored);
    const reservation: Reservation = { stored, session: null };
    this.#reservations.add(reservation);
    try {
      const session = new RpcSession({
        program,
        cwd: directory,
        env: this.#env,
        sessionPath: stored?.path ?? null,
        cursor: await this.#cursorOf(stored),
        model: model ?? null,
        pathOf: (file) => this.#pathOf(file),
        times: this.#options.times,
        listener: this.#options.sessions,
      });
      reservation.session = session;
      const agentsId = await session.ready();
      try {
        if (model !== undefined) await session.confirmModel(model);
        const line = normalizedName(name ?? "");
        if (line !== "") await session.setName(line);
        if (this.#isClosed) throw new AppError("UNAVAILABLE", "The service is stopping.");
      } catch (error) {
        await session.stop();
        throw error;
      }
      this.#options.sessions.add(this.#freeId(stored?.id ?? agentsId), session);
      return session;
    } finally {
      this.#reservations.delete(reservation);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.starting.map((session) => session.stop()));
  }

  /**
   * The last entry that the session's log contains, if the log is continued; otherwise the end of the file, which
   * others read.
   */
  async #cursorOf(stored: StoredSession | null): Promise<EntryCursor | null> {
    if (stored === null) return null;
    const before = this.#options.sessions.get(stored.id);
    const isSame = before instanceof RpcSession && before.log.session.session_path === stored.path;
    const known = isSame ? await before.lastEntry() : null;
    return known ?? { id: await lastEntryId(stored.path), time: new Date().toISOString() };
  }

  #refuse(stored: StoredSession | null): void {
    const { sessions } = this.#options;
    const live = stored === null ? undefined : sessions.byPath(stored.path)?.log.session.session_id;
    const isStarting = [...this.#reservations].some((one) => stored !== null && one.stored?.path === stored.path);
    if (stored !== null && (live !== undefined || isStarting)) {
      throw new AppError("CONFLICT", "An agent is already using this session.", {
        details: { session_id: live ?? stored.id },
      });
    }
    if (this.#isClosed) throw new AppError("UNAVAILABLE", "The service is stopping.");
    const started = sessions.running().filter((session) => session instanceof RpcSession).length;
    const most = this.#options.most ?? MAX_RUNNING;
    if (started + this.#reservations.size >= most) {
      throw new AppError("CONFLICT", `${most} agents are running already; stop one first.`);
    }
  }

  /** Two files may be copies of one session; the second one gets a number. */
  #freeId(id: string): string {
    const isTaken = (candidate: string) => this.#options.sessions.get(candidate)?.log.isOver === false;
    let free = id;
    for (let number = 2; isTaken(free); number += 1) free = `${id}-${number}`;
    return free;
  }

  /** The library may know the file by another path, or not at all outside its directories. */
  async #pathOf(file: string): Promise<string> {
    return this.#options.resolveSession(file).then(
      ({ path }) => path,
      () => file,
    );
  }
}

async function checkedDirectory(stored: StoredSession | null, cwd: string | undefined): Promise<string> {
  const directory = stored === null ? cwd : stored.cwd;
  const path = stored === null ? "cwd" : "session_path";
  if (typeof directory !== "string") {
    throw unfit(path, "The header of this session does not name its folder.");
  }
  if (!isAbsolute(directory)) throw unfit(path, `${directory} is not an absolute path.`);
  const found = await stat(directory).catch(() => null);
  if (found === null)
    throw unfit(path, `The folder ${directory} ${stored === null ? "does not exist" : "no longer exists"}.`);
  if (!found.isDirectory()) throw unfit(path, `${directory} is not a directory.`);
  return directory;
}

function unfit(path: string, message: string): AppError {
  return new AppError("INVALID_PAYLOAD", message, { details: [{ path, message }] });
}
