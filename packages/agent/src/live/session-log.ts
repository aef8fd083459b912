import type { DerivedFacts, JsonObject, LiveEntries, LiveSession, LiveState } from "@sm/core";
import type { TakenRecord } from "./agent-record.ts";
import { RecordHistory } from "./record-history.ts";
import { RunFacts } from "./run-facts.ts";

/** An agent may call many tools a second; listeners are told at most this often what it does. */
const QUIET_MS = 1_000;

/** Events of live sessions. */
export type LiveEvent =
  | { type: "state"; session_id: string; state: LiveState }
  | { type: "event"; session_id: string; seq: number; event: JsonObject }
  /** Its question, its activity, its file or the outcome of its run changed, but not its state. */
  | { type: "changed"; session_id: string };

export interface SessionListener {
  publish(event: LiveEvent): void;
  /** Called when a session has another file, or no longer writes to one. */
  pathChanged(): void;
}

/** What a session knows about itself at first. */
export type SessionFacts = Omit<LiveSession, "last_event_at" | "controllable" | keyof DerivedFacts>;

/** State and history of a controllable session. It has no subscribers until it has an ID. */
export class SessionLog {
  readonly #listener: SessionListener;
  readonly #session: Omit<LiveSession, keyof DerivedFacts>;
  readonly #facts = new RunFacts();
  #history = new RecordHistory();
  #isAnnounced = false;
  #lastEventAt: number;
  #quiet: NodeJS.Timeout | null = null;

  constructor(session: SessionFacts, listener: SessionListener) {
    this.#session = { ...session, last_event_at: session.started_at, controllable: true };
    this.#lastEventAt = Date.parse(session.started_at);
    this.#listener = listener;
  }

  get session(): LiveSession {
    const { question, ...facts } = this.#facts.facts;
    const isWaiting = this.#session.state === "waiting";
    return {
      ...this.#session,
      ...facts,
      question: isWaiting ? question : null,
      last_event_at: new Date(this.#lastEventAt).toISOString(),
    };
  }

  get isOver(): boolean {
    return this.#session.state === "exited";
  }

  /** Sets the session's ID. Continues the history of an earlier session with that ID. */
  announce(id: string, before: SessionLog | null): void {
    this.#session.session_id = id;
    this.#isAnnounced = true;
    const { records } = this.#history;
    this.#history = before === null ? new RecordHistory() : before.#history;
    for (const taken of records) this.add(taken);
    this.#publishState();
    if (this.#session.session_path !== null) this.#listener.pathChanged();
  }

  add(taken: TakenRecord): void {
    this.#lastEventAt = Date.now();
    const seq = this.#history.add(taken);
    const isChanged = this.#facts.observe(taken.record);
    if (!this.#isAnnounced) return;
    this.#publishEvent(taken.record, seq);
    if (isChanged) this.#publishLater();
  }

  /** The agent has ended without a record of it. */
  end(result: "exited" | "lost"): void {
    this.#facts.ended(result, null);
    this.update({ state: "exited", pending_messages: 0 });
  }

  /** Applies changes; subscribers are notified if the state or the file changed. */
  update(changes: Partial<Omit<SessionFacts, "session_id">>): void {
    const { state, session_path } = this.#session;
    Object.assign(this.#session, changes);
    if (state === "waiting" && this.#session.state !== "waiting") this.#facts.answered();
    if (!this.#isAnnounced) return;
    if (this.#session.state !== state) this.#publishState();
    const isPathChanged = this.#session.session_path !== session_path;
    if (isPathChanged) this.#publishLater();
    if (isPathChanged || (this.isOver && state !== "exited")) this.#listener.pathChanged();
  }

  entries(afterSeq: number | null): LiveEntries {
    return this.#history.after(afterSeq);
  }

  #publishState(): void {
    const { session_id, state } = this.#session;
    this.#listener.publish({ type: "state", session_id, state });
    // Whoever hears this reads all of it again.
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#quiet = null;
  }

  #publishLater(): void {
    this.#quiet ??= setTimeout(() => {
      this.#quiet = null;
      this.#listener.publish({ type: "changed", session_id: this.#session.session_id });
    }, QUIET_MS).unref();
  }

  #publishEvent(event: JsonObject, seq: number): void {
    this.#listener.publish({ type: "event", session_id: this.#session.session_id, seq, event });
  }
}
