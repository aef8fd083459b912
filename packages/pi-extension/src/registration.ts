import { setTimeout as sleep } from "node:timers/promises";
import { CommandFailed, callService, findService, type Service } from "./find-service.ts";
import type { RecordQueue } from "./record-queue.ts";
import type { ServiceRequest, SessionModel, SessionState } from "./session.ts";

/** Milliseconds in which records are batched into one report. */
const BATCH_MS = 50;

/** Milliseconds before the first reconnection attempt; doubled up to the maximum. */
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 30_000;

/** Long-poll duration in seconds. */
const WAIT_SECONDS = 25;

/** Milliseconds to report the end of a session. */
const EXIT_REPORT_MS = 2_000;

/** A session to register with the service. */
export interface ConnectedSession {
  id: string;
  env: NodeJS.ProcessEnv;
  outbox: RecordQueue;
  state(): SessionState;
  models(): SessionModel[];
  /** Whether the agent emits an event for each new name. */
  tellsNames: boolean;
  /** Carries out a request; rejects with the reason if impossible. */
  carryOut(request: ServiceRequest): Promise<void>;
  /** Called when the service has registered or lost the session. */
  onConnected(isConnected: boolean): void;
}

/** State of the service's requests, kept across connections: each is carried out and reported once. */
interface Requests {
  /** IDs in the last response, repeated by the service until acknowledged. */
  received: string[];
  done: { id: string; error: string | null }[];
}

/**
 * Keeps the session registered with the service whenever one is running.
 *
 * @returns a function that stops this; if the session has exited, it briefly waits to report that.
 */
export function registerSession(session: ConnectedSession): () => Promise<void> {
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
        // The service has ended or rejects the session: retry later.
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
      await Promise.race([ended, sleep(EXIT_REPORT_MS, undefined, { ref: false })]);
    }
    ending.abort();
  };
}

/** One registration of the session with the service. */
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

  /** Resolves when the service knows that the session has exited; rejects when the connection is lost. */
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
    // Reports results that the previous connection could not.
    if (this.#requests.done.length > 0) outbox.wake();
    while (this.#told.state !== "exited") {
      await outbox.filled();
      await sleep(BATCH_MS, undefined, { signal: this.#signal, ref: false });
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
        // A report that the service rejects now will be rejected again.
        if (!(error instanceof CommandFailed) || error.code === "NOT_FOUND") {
          outbox.requeue(records);
          this.#requests.done.unshift(...done);
        }
        throw error;
      }
      this.#told = state;
    }
  }

  #ask(command: string, payload: object, more = ""): Promise<unknown> {
    const fields = JSON.stringify({ session_id: this.#session.id, ...payload }).slice(0, -1);
    // Longer than the long-poll duration.
    const timeout = (WAIT_SECONDS + 10) * 1_000;
    return callService(this.#service, command, `${fields}${more}}`, { signal: this.#signal, timeout });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
