import { setTimeout as sleep } from "node:timers/promises";
import type { Outbox } from "./outbox.ts";
import { CommandFailed, call, findService, type Service } from "./service.ts";
import type { ServiceRequest, SessionModel, SessionState } from "./session.ts";

/** Milliseconds in which records gather into one report. */
const GATHERING_MS = 50;

/** Milliseconds between attempts to reach the service, doubled with each up to the last. */
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 30_000;

/** Seconds that the service holds back its answer while there is nothing to do. */
const WAIT_SECONDS = 25;

/** Milliseconds that the end of a session waits until the service is told. */
const FAREWELL_MS = 2_000;

/** A session that the service is to know. */
export interface ConnectedSession {
  id: string;
  env: NodeJS.ProcessEnv;
  outbox: Outbox;
  state(): SessionState;
  models(): SessionModel[];
  /** Whether the agent tells of each new name by an event. */
  tellsNames: boolean;
  /** Rejects with the reason why a request cannot be carried out. */
  carryOut(request: ServiceRequest): Promise<void>;
  /** Is told whether the service knows the session. */
  onConnected(isConnected: boolean): void;
}

/** What has become of the service's requests, which outlives a connection: each is carried out once and told of. */
interface Requests {
  /** Of the last answer that has come: the service gives them again until it knows that. */
  received: string[];
  done: { id: string; error: string | null }[];
}

/**
 * Makes a session known to the service whenever there is one.
 *
 * @returns a function that ends this; it waits a moment until the service knows that the session has exited, if it has.
 */
export function connect(session: ConnectedSession): () => Promise<void> {
  const ending = new AbortController();
  const requests: Requests = { received: [], done: [] };
  /** Whether the service may know the session. */
  let isKnown = false;

  const stayConnected = async (): Promise<void> => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
      try {
        const service = await findService(session.env);
        if (service !== null) {
          const connection = new Connection(service, session, requests, ending.signal);
          isKnown = true;
          await connection.register();
          pause = FIRST_PAUSE_MS;
          session.onConnected(true);
          return await connection.serve();
        }
      } catch {
        // The service has ended, or does not want the session: it is asked again.
      }
      if (ending.signal.aborted) return;
      if (isKnown) session.onConnected(false);
      isKnown = false;
      await sleep(pause, undefined, { signal: ending.signal, ref: false });
    }
  };

  const ended = stayConnected().catch(() => {});
  return async () => {
    session.outbox.wake();
    if (isKnown && session.state().state === "exited") {
      await Promise.race([ended, sleep(FAREWELL_MS, undefined, { ref: false })]);
    }
    ending.abort();
  };
}

/** A stretch of time in which the service knows the session. */
class Connection {
  readonly #service: Service;
  readonly #session: ConnectedSession;
  readonly #requests: Requests;
  readonly #lost = new AbortController();
  readonly #signal: AbortSignal;
  #told: SessionState;

  constructor(service: Service, session: ConnectedSession, requests: Requests, ending: AbortSignal) {
    this.#service = service;
    this.#session = session;
    this.#requests = requests;
    this.#signal = AbortSignal.any([ending, this.#lost.signal]);
    this.#told = session.state();
  }

  async register(): Promise<void> {
    const startedAt = new Date(performance.timeOrigin).toISOString();
    await this.#ask("register_coding_session", {
      ...this.#told,
      pid: process.pid,
      started_at: startedAt,
      models: this.#session.models(),
    });
  }

  /** Resolves when the service knows that the session has exited; rejects when it is lost. */
  async serve(): Promise<void> {
    try {
      await Promise.race([this.#takeRequests(), this.#report()]);
    } finally {
      this.#lost.abort();
    }
  }

  async #takeRequests(): Promise<never> {
    const { outbox } = this.#session;
    for (;;) {
      const { received, done } = this.#requests;
      const requests = (await this.#ask("take_coding_session_requests", {
        received,
        wait_seconds: WAIT_SECONDS,
      })) as ServiceRequest[];
      this.#requests.received = requests.map(({ id }) => id);
      for (const request of requests) {
        const error = await this.#session.carryOut(request).then(() => null, messageOf);
        done.push({ id: request.id, error });
        outbox.wake();
      }
      if (!this.#session.tellsNames) outbox.wake();
    }
  }

  async #report(): Promise<void> {
    const { outbox } = this.#session;
    // What could not be told over the connection before.
    if (this.#requests.done.length > 0) outbox.wake();
    while (this.#told.state !== "exited") {
      await outbox.filled();
      await sleep(GATHERING_MS, undefined, { signal: this.#signal, ref: false });
      const state = this.#session.state();
      const changes = Object.entries(state).filter(([name, value]) => this.#told[name as keyof SessionState] !== value);
      if (state.name !== this.#told.name) outbox.add({ type: "session_info_changed", name: state.name ?? undefined });
      const done = this.#requests.done.splice(0);
      const records = outbox.take();
      if (records.length === 0 && changes.length === 0 && done.length === 0) continue;
      try {
        const events = records.map(({ text }) => text).join();
        await this.#ask(
          "report_coding_session",
          { changes: Object.fromEntries(changes), done },
          `,"events":[${events}]`,
        );
      } catch (error) {
        // What it does not take now, it does not take later either.
        if (!(error instanceof CommandFailed) || error.code === "NOT_FOUND") {
          outbox.putBack(records);
          this.#requests.done.unshift(...done);
        }
        throw error;
      }
      this.#told = state;
    }
  }

  #ask(command: string, payload: object, more = ""): Promise<unknown> {
    const fields = JSON.stringify({ session_id: this.#session.id, ...payload }).slice(0, -1);
    // An answer may take as long as the service is asked to wait, and some more.
    const timeout = (WAIT_SECONDS + 10) * 1_000;
    return call(this.#service, command, `${fields}${more}}`, { signal: this.#signal, timeout });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
