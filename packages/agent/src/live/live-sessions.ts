import {
  type AcceptedPrompt,
  type AgentCommand,
  AppError,
  type ClearedQueue,
  type LiveAnswer,
  type LiveEntries,
  type LiveModel,
  type LivePrompt,
  type LiveRegistration,
  type LiveReport,
  type LiveRequest,
  type LiveSession,
  type LiveSessionService,
  type ProjectFiles,
  type StartOptions,
} from "@sm/core";
import { ProgramFinder } from "./agent-program.ts";
import { AgentStarter, type StarterOptions } from "./agent-starter.ts";
import { type ControlledSession, normalizedName } from "./controlled-session.ts";
import { ExternalAgents } from "./external.ts";
import { findProjectFiles } from "./project-files.ts";
import { REGISTERED_TIMES, RegisteredSession, type RegisteredTimes } from "./registered-session.ts";
import { type LiveTimes, RpcSession, TIMES } from "./rpc-session.ts";
import { SessionList, type SessionListOptions } from "./session-list.ts";

export interface LiveSessionsOptions extends Omit<StarterOptions, "sessions" | "times">, SessionListOptions {
  /** Whether agents may be started and controlled. */
  enabled: boolean;
  /** Path or name of the agent's program; default `pi`. */
  command: string | null;
  /** Replaces the default times in tests. */
  times?: Partial<LiveTimes & RegisteredTimes>;
}

export interface LiveSessions extends LiveSessionService {
  /** Number of controllable sessions that have not exited. */
  readonly count: number;
  /** Finds the session that writes to a file, by its path in the library. */
  byPath(path: string): { session_id: string; controllable: boolean } | null;
  /** Ends all agents started by the service. */
  close(): Promise<void>;
}

/** Limit of sessions in users' own terminals. */
const MAX_REGISTERED = 50;

/** Opens the live sessions: agents of the service, registered ones, and others on this machine. */
export function openLiveSessions(options: LiveSessionsOptions): LiveSessions {
  return new AgentSessions(options);
}

class AgentSessions implements LiveSessions {
  readonly #isEnabled: boolean;
  readonly #times: LiveTimes & RegisteredTimes;
  readonly #finder: ProgramFinder;
  readonly #external: ExternalAgents;
  readonly #sessions: SessionList;
  readonly #starter: AgentStarter;
  readonly #resolveSession: StarterOptions["resolveSession"];

  constructor(options: LiveSessionsOptions) {
    this.#isEnabled = options.enabled;
    this.#resolveSession = options.resolveSession;
    this.#times = { ...REGISTERED_TIMES, ...TIMES, ...options.times };
    const command = options.command ?? "pi";
    this.#finder = new ProgramFinder({ command, env: options.env });
    this.#external = new ExternalAgents(new Set(["pi", command]));
    this.#sessions = new SessionList(options);
    this.#starter = new AgentStarter({ ...options, sessions: this.#sessions, times: this.#times });
  }

  get count(): number {
    return this.#sessions.running().length;
  }

  async checkEnabled(): Promise<void> {
    if (this.#isEnabled) return;
    throw new AppError("FORBIDDEN", 'Agents are turned off; set "agents_enabled" to true in session-manager.json.');
  }

  async checkAvailable(): Promise<void> {
    await this.checkEnabled();
    const hasRegistered = this.#sessions.running().some((session) => session instanceof RegisteredSession);
    if (!hasRegistered) await this.#finder.find();
  }

  async list(): Promise<LiveSession[]> {
    const external = await this.#external.list();
    const own = this.#sessions.all();
    // The cached process list may include agents of the service that have ended since.
    const known = [...own, ...this.#starter.starting].filter((one) => one instanceof RpcSession || !one.log.isOver);
    const pids = new Set(known.map(({ log }) => log.session.pid));
    const others = external.filter(({ pid }) => !pids.has(pid));
    return [...own.map(({ log }) => log.session), ...this.#sessions.ended(), ...others].sort((left, right) =>
      left.started_at < right.started_at ? 1 : -1,
    );
  }

  byPath(path: string): { session_id: string; controllable: boolean } | null {
    const session = this.#sessions.byPath(path)?.log.session;
    return session === undefined ? null : { session_id: session.session_id, controllable: session.controllable };
  }

  async start(options: StartOptions): Promise<LiveSession> {
    await this.checkEnabled();
    const session = await this.#starter.start(await this.#finder.find(), options);
    return session.log.session;
  }

  async stop(sessionId: string): Promise<LiveSession> {
    return this.#control(sessionId, (session) => session.stop());
  }

  async entries(sessionId: string, afterSeq: number | null): Promise<LiveEntries> {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) return session.log.entries(afterSeq);
    if (this.#sessions.hasEnded(sessionId)) return { entries: [], next_seq: 0, has_gap: true };
    if (!(await this.#isExternal(sessionId))) throw unknown(sessionId);
    return { entries: [], next_seq: 0, has_gap: false };
  }

  async prompt(prompt: LivePrompt): Promise<AcceptedPrompt> {
    return (await this.#controlled(prompt.session_id)).prompt(prompt);
  }

  async abort(sessionId: string): Promise<LiveSession> {
    return this.#control(sessionId, (session) => session.abort());
  }

  async clearQueue(sessionId: string): Promise<ClearedQueue> {
    return (await this.#controlled(sessionId)).clearQueue();
  }

  async setModel(id: string, change: { model: string | null; thinking_level: string | null }): Promise<LiveSession> {
    return this.#control(id, (session) => session.setModel(change));
  }

  async setName(sessionId: string, name: string): Promise<LiveSession> {
    const line = normalizedName(name);
    if (line === "") {
      const message =
        "The name of a session in use by an agent cannot be removed; choose another, or stop the agent first.";
      throw new AppError("INVALID_PAYLOAD", message, { details: [{ path: "name", message }] });
    }
    return this.#control(sessionId, (session) => session.setName(line));
  }

  async models(sessionId: string): Promise<LiveModel[]> {
    return (await this.#controlled(sessionId)).models();
  }

  async thinkingLevels(sessionId: string): Promise<string[]> {
    return (await this.#controlled(sessionId)).thinkingLevels();
  }

  async commands(sessionId: string): Promise<AgentCommand[]> {
    return (await this.#controlled(sessionId)).commands();
  }

  async findFiles(sessionId: string, text: string): Promise<ProjectFiles> {
    const { cwd } = (await this.#controlled(sessionId)).log.session;
    return findProjectFiles(cwd, text);
  }

  async answer(answer: LiveAnswer): Promise<LiveSession> {
    return this.#control(answer.session_id, async (session) => session.answer(answer));
  }

  async register(told: LiveRegistration): Promise<LiveSession> {
    await this.checkEnabled();
    const registration = { ...told, session_path: await this.#libraryPath(told.session_path) };
    const { session_id, pid } = registration;
    const before = this.#sessions.get(session_id);
    const agents = [...this.#sessions.running(), ...this.#starter.starting].filter((one) => one instanceof RpcSession);
    const own = agents.find((session) => session === before || session.log.session.pid === pid);
    if (own !== undefined) {
      throw new AppError("CONFLICT", "The service started this agent itself.", {
        details: { session_id: own.log.session.session_id },
      });
    }
    if (before instanceof RegisteredSession) {
      if (!before.log.isOver && before.log.session.pid === pid) {
        before.registerAgain(registration);
        return before.log.session;
      }
      rejectDuplicateId(before, registration);
      before.end();
    }
    if (this.#sessions.running().length - agents.length >= MAX_REGISTERED) {
      throw new AppError("CONFLICT", `${MAX_REGISTERED} sessions are registered already.`);
    }
    const session = new RegisteredSession(registration, this.#times, this.#sessions);
    this.#sessions.add(session_id, session);
    return session.log.session;
  }

  async report({ session_id, events, changes: told, done }: LiveReport): Promise<LiveSession> {
    const { session_path } = told;
    const changes =
      session_path === undefined ? told : { ...told, session_path: await this.#libraryPath(session_path) };
    const session = this.#registered(session_id);
    session.report({ session_id, events, changes, done });
    return session.log.session;
  }

  async takeRequests(sessionId: string, received: readonly string[], waitMs: number): Promise<LiveRequest[]> {
    return this.#registered(sessionId).takeRequests(received, waitMs);
  }

  async close(): Promise<void> {
    const ending = this.#sessions.running().map((session) => {
      // An agent in a user's own terminal continues.
      return session instanceof RegisteredSession ? session.end() : session.stop();
    });
    await Promise.all([...ending, this.#starter.close()]);
    this.#sessions.close();
  }

  async #control(id: string, act: (session: ControlledSession) => Promise<void>): Promise<LiveSession> {
    const session = await this.#controlled(id);
    await act(session);
    return session.log.session;
  }

  async #controlled(id: string): Promise<ControlledSession> {
    const session = this.#sessions.get(id);
    if (session?.log.isOver === true || this.#sessions.hasEnded(id)) {
      throw new AppError("CONFLICT", "The agent has exited; start the session again.");
    }
    if (session === undefined) {
      if (!(await this.#isExternal(id))) throw unknown(id);
      throw new AppError("CONFLICT", "This agent was started in a terminal without the service's extension.");
    }
    return session;
  }

  /** A session that has ended or is from an earlier run of the service must register again. */
  #registered(id: string): RegisteredSession {
    const session = this.#sessions.get(id);
    if (session instanceof RegisteredSession && !session.log.isOver) return session;
    throw new AppError("NOT_FOUND", `No session ${id} is registered.`);
  }

  /**
   * Registered paths are not trusted: only the library's own path counts, if it has one, and never that of a session of
   * another agent, which would be renamed and deleted through this one.
   */
  async #libraryPath(told: string | null): Promise<string | null> {
    if (told === null) return null;
    return this.#resolveSession(told).then(
      ({ path, capabilities }) => (capabilities.start ? path : null),
      () => null,
    );
  }

  async #isExternal(id: string): Promise<boolean> {
    return (await this.#external.list()).some(({ session_id }) => session_id === id);
  }
}

/** Two terminals may open files with the same ID; the second would be taken for the first. */
function rejectDuplicateId({ log }: RegisteredSession, { session_path }: LiveRegistration): void {
  const known = log.session.session_path;
  if (log.isOver || known === null || session_path === null || known === session_path) return;
  throw new AppError(
    "CONFLICT",
    `Another file with this session id is live in a terminal: ${known}. End that session first.`,
  );
}

function unknown(id: string): AppError {
  return new AppError("NOT_FOUND", `There is no live session ${id}.`);
}
