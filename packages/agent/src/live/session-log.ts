import type { JsonObject, LiveEntries, LiveSession, LiveState } from "@sm/core";
import type { TakenRecord } from "./agent-record.ts";
import { RecordHistory } from "./record-history.ts";

/** Events of live sessions. */
export type LiveEvent =
  | { type: "state"; session_id: string; state: LiveState }
  | { type: "event"; session_id: string; seq: number; event: JsonObject };

export interface SessionListener {
  publish(event: LiveEvent): void;
  /** Called when a session has another file, or no longer writes to one. */
  pathChanged(): void;
}

/** State and history of a controllable session. It has no subscribers until it has an ID. */
export class SessionLog {
  readonly #listener: SessionListener;
  readonly #session: LiveSession;
  #history = new RecordHistory();
  #isAnnounced = false;
  #lastEventAt: number;

  constructor(session: Omit<LiveSession, "last_event_at" | "controllable">, listener: SessionListener) {
    this.#session = { ...session, last_event_at: session.started_at, controllable: true };
    this.#lastEventAt = Date.parse(session.started_at);
    this.#listener = listener;
  }

  get session(): LiveSession {
    return { ...this.#session, last_event_at: new Date(this.#lastEventAt).toISOString() };
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
    this.#listener.publish({ type: "state", session_id: id, state: this.#session.state });
    if (this.#session.session_path !== null) this.#listener.pathChanged();
  }

  add(taken: TakenRecord): void {
    this.#lastEventAt = Date.now();
    const seq = this.#history.add(taken);
    if (this.#isAnnounced) this.#publishEvent(taken.record, seq);
  }

  /** Applies changes; subscribers are notified if the state or the file changed. */
  update(changes: Partial<Omit<LiveSession, "session_id" | "controllable" | "last_event_at">>): void {
    const { state, session_path } = this.#session;
    Object.assign(this.#session, changes);
    if (!this.#isAnnounced) return;
    const { session_id } = this.#session;
    if (this.#session.state !== state) {
      this.#listener.publish({ type: "state", session_id, state: this.#session.state });
    }
    const isPathChanged = this.#session.session_path !== session_path;
    if (isPathChanged || (this.isOver && state !== "exited")) this.#listener.pathChanged();
  }

  entries(afterSeq: number | null): LiveEntries {
    return this.#history.after(afterSeq);
  }

  #publishEvent(event: JsonObject, seq: number): void {
    this.#listener.publish({ type: "event", session_id: this.#session.session_id, seq, event });
  }
}
