import { randomUUID } from "node:crypto";
import {
  type AcceptedPrompt,
  AppError,
  type ClearedQueue,
  type LiveModel,
  type LivePrompt,
  type LiveRegistration,
  type LiveReport,
  type LiveRequest,
  type LiveState,
  type RegisteredModel,
} from "@sm/core";
import { takeRecord } from "./agent-record.ts";
import type { ControlledSession } from "./controlled-session.ts";
import { type SessionListener, SessionLog } from "./session-log.ts";
import { OLD_THINKING_LEVELS } from "./thinking-levels.ts";

/** Time limits of a registered session, in milliseconds. */
export interface RegisteredTimes {
  /** To carry out a request. */
  request: number;
  /** Between two signs of life; it long-polls for requests, each for at most half a minute. */
  silence: number;
}

export const REGISTERED_TIMES: RegisteredTimes = { request: 30_000, silence: 90_000 };
const MAX_OPEN = 100;
const STATES = new Map<string, LiveState>([
  ["agent_start", "streaming"],
  ["agent_end", "idle"],
]);

/** A request without its ID. */
type Asked = LiveRequest extends infer Request ? (Request extends LiveRequest ? Omit<Request, "id"> : never) : never;

interface OpenRequest {
  request: LiveRequest;
  /** Whether the session has acknowledged it. */
  isReceived: boolean;
  timer: NodeJS.Timeout;
  settle(error: AppError | null): void;
}

/** A session in a user's own terminal, which reports its events and polls for requests. */
export class RegisteredSession implements ControlledSession {
  readonly log: SessionLog;
  readonly #times: RegisteredTimes;
  /** In order of the requests. */
  readonly #open = new Map<string, OpenRequest>();
  #models: RegisteredModel[];
  #deliver: ((requests: LiveRequest[]) => void) | null = null;
  #silence: NodeJS.Timeout | undefined;
  /** Whether a run is active, also while it waits for the user. */
  #isRunning: boolean;

  constructor(registration: LiveRegistration, times: RegisteredTimes, listener: SessionListener) {
    const { models, ...session } = registration;
    this.#models = models;
    this.log = new SessionLog({ ...session, context_window: null, pending_messages: 0 }, listener);
    this.#times = times;
    this.#isRunning = session.state !== "idle";
    this.#heard();
  }

  /** Updates the session after it reconnects; pending requests are kept. */
  registerAgain({ models, session_id: _, ...facts }: LiveRegistration): void {
    this.#heard();
    this.#models = models;
    this.#isRunning = facts.state !== "idle";
    if (facts.state === "exited") this.end();
    else this.log.update(facts);
  }

  report({ events, changes, done }: LiveReport): void {
    this.#heard();
    for (const event of events) {
      const taken = takeRecord(event);
      if (taken === null) continue;
      this.log.add(taken);
      const state = STATES.get(taken.record.type);
      if (state === undefined) continue;
      this.#isRunning = state === "streaming";
      // A run can start and end within one report. A session that waits for its user reports itself when it stops
      // waiting.
      const isWaiting = (changes.state ?? this.log.session.state) === "waiting";
      if (!isWaiting && !this.log.isOver) this.log.update({ state });
    }
    if (changes.state === "idle" || changes.state === "streaming") this.#isRunning = changes.state === "streaming";
    for (const { id, error } of done) {
      this.#removeRequest(id)?.settle(error === null ? null : new AppError("CONFLICT", `The agent refused: ${error}`));
    }
    if (changes.state === "exited") this.end();
    // A session reported as ended does not come back.
    else if (!this.log.isOver) this.log.update(changes);
  }

  /**
   * Long-polls for requests, which are repeated until acknowledged, because a response may be lost with its connection.
   * A second poll replaces the first, which returns nothing.
   */
  async takeRequests(received: readonly string[], waitMs: number): Promise<LiveRequest[]> {
    this.#heard();
    for (const id of received) {
      const open = this.#open.get(id);
      if (open !== undefined) open.isReceived = true;
    }
    this.#deliver?.([]);
    const requests = this.#toBeGiven();
    if (requests.length > 0 || this.log.isOver) return requests;
    return new Promise((resolve) => {
      const deliver = (requests: LiveRequest[]) => {
        clearTimeout(timer);
        if (this.#deliver === deliver) this.#deliver = null;
        this.#heard();
        resolve(requests);
      };
      const timer = setTimeout(deliver, waitMs, []);
      this.#deliver = deliver;
    });
  }

  async prompt({ prompt, mode, images = [] }: LivePrompt): Promise<AcceptedPrompt> {
    const disposition = this.#isRunning ? "queued" : "started";
    await this.#ask({ type: "prompt", prompt, mode, images });
    return { accepted: true, disposition };
  }

  async abort(): Promise<void> {
    await this.#ask({ type: "abort" });
  }

  async clearQueue(): Promise<ClearedQueue> {
    throw new AppError("CONFLICT", "The queue of this agent can only be changed in its own terminal.");
  }

  async setModel({ model, thinking_level }: { model: string | null; thinking_level: string | null }): Promise<void> {
    await this.#ask({ type: "set_model", model, thinking_level });
  }

  async setName(name: string): Promise<void> {
    await this.#ask({ type: "set_name", name });
    this.log.update({ name });
  }

  async models(): Promise<LiveModel[]> {
    return this.#models.map(({ model, name, reasoning }) => ({ model, name, reasoning }));
  }

  async thinkingLevels(): Promise<string[]> {
    const present = this.#models.find(({ model }) => model === this.log.session.model);
    return [...(present?.thinking_levels ?? OLD_THINKING_LEVELS)];
  }

  /** Its own terminal runs commands, not what an extension sends. */
  async commands(): Promise<[]> {
    return [];
  }

  answer(): void {
    throw new AppError("NOT_FOUND", "Questions of this agent are answered in its own terminal.");
  }

  async stop(): Promise<void> {
    await this.#ask({ type: "stop" });
    this.end();
  }

  /** Marks it as ended: it has reported so, or is silent (`lost`). */
  end(result: "exited" | "lost" = "exited"): void {
    clearTimeout(this.#silence);
    for (const id of [...this.#open.keys()])
      this.#removeRequest(id)?.settle(new AppError("CONFLICT", "The agent has exited."));
    this.#deliver?.([]);
    clearTimeout(this.#silence);
    if (!this.log.isOver) this.log.end(result);
  }

  async #ask(asked: Asked): Promise<void> {
    if (this.log.isOver) throw new AppError("CONFLICT", "The agent has exited.");
    if (this.#open.size >= MAX_OPEN) {
      throw new AppError("CONFLICT", "The agent has not completed earlier requests.");
    }
    const request: LiveRequest = { id: randomUUID(), ...asked };
    const { id, type } = request;
    return new Promise((resolve, reject) => {
      const ms = this.#times.request;
      const timer = setTimeout(() => {
        this.#removeRequest(id)?.settle(
          new AppError("TIMEOUT", `The agent did not answer ${type} in ${ms / 1_000} seconds.`),
        );
      }, ms);
      const settle = (error: AppError | null) => (error === null ? resolve() : reject(error));
      this.#open.set(id, { request, isReceived: false, timer, settle });
      this.#deliver?.(this.#toBeGiven());
    });
  }

  /** A request without a waiting caller is not carried out later. */
  #removeRequest(id: string): OpenRequest | undefined {
    const open = this.#open.get(id);
    clearTimeout(open?.timer);
    this.#open.delete(id);
    return open;
  }

  #toBeGiven(): LiveRequest[] {
    return [...this.#open.values()].filter(({ isReceived }) => !isReceived).map(({ request }) => request);
  }

  #heard(): void {
    clearTimeout(this.#silence);
    if (this.log.isOver) return;
    this.#silence = setTimeout(() => this.end("lost"), this.#times.silence);
    this.#silence.unref();
  }
}
