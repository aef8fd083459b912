import type { LiveSession } from "@sm/core";
import type { ControlledSession } from "./controlled-session.ts";
import type { LiveEvent, SessionListener, SessionLog } from "./session-log.ts";

export interface SessionListOptions {
  publish(event: LiveEvent): void;
  /** Called when the set of session files written by running sessions changes. */
  onPathsChanged(paths: ReadonlySet<string>): void;
}

/** Time for which an exited session remains readable. */
const EXITED_KEPT_MS = 10 * 60_000;
const MAX_EXITED = 20;
/** Time and number for which an exited session is listed after that, without what its agent has said. */
const LISTED_MS = 24 * 3_600_000;
const MAX_LISTED = 50;

/** Controllable sessions, including recently exited ones. */
export class SessionList implements SessionListener {
  readonly #options: SessionListOptions;
  readonly #sessions = new Map<string, ControlledSession>();
  /** Exited sessions, in order of their exit. */
  readonly #forgetting = new Map<string, NodeJS.Timeout>();
  /** Exited sessions that are only listed, in order of their exit. */
  readonly #ended = new Map<string, LiveSession>();
  #paths: ReadonlySet<string> = new Set();

  constructor(options: SessionListOptions) {
    this.#options = options;
  }

  get(id: string): ControlledSession | undefined {
    return this.#sessions.get(id);
  }

  all(): ControlledSession[] {
    return [...this.#sessions.values()];
  }

  /** Sessions that have exited within the last day and are no longer readable. */
  ended(): LiveSession[] {
    const from = new Date(Date.now() - LISTED_MS).toISOString();
    for (const [id, { last_event_at }] of this.#ended) if (last_event_at < from) this.#ended.delete(id);
    return [...this.#ended.values()];
  }

  hasEnded(id: string): boolean {
    return this.ended().some(({ session_id }) => session_id === id);
  }

  running(): ControlledSession[] {
    return this.all().filter(({ log }) => !log.isOver);
  }

  byPath(path: string): ControlledSession | undefined {
    return this.running().find(({ log }) => log.session.session_path === path);
  }

  /** An earlier session with the same ID has exited; its history stays readable. */
  add(id: string, session: ControlledSession): void {
    const before: SessionLog | null = this.#sessions.get(id)?.log ?? null;
    clearTimeout(this.#forgetting.get(id));
    this.#forgetting.delete(id);
    this.#ended.delete(id);
    this.#sessions.set(id, session);
    session.log.announce(id, before);
  }

  publish(event: LiveEvent): void {
    if (event.type === "state" && event.state === "exited") this.#forgetLater(event.session_id);
    this.#options.publish(event);
  }

  pathChanged(): void {
    const known = this.running().flatMap(({ log }) => log.session.session_path ?? []);
    const paths = new Set(known);
    if (paths.size === this.#paths.size && known.every((path) => this.#paths.has(path))) return;
    this.#paths = paths;
    this.#options.onPathsChanged(paths);
  }

  close(): void {
    for (const id of [...this.#forgetting.keys()]) this.#forget(id);
  }

  #forgetLater(id: string): void {
    this.#forgetting.set(
      id,
      setTimeout(() => this.#forget(id), EXITED_KEPT_MS),
    );
    const [oldest] = this.#forgetting.keys();
    if (this.#forgetting.size > MAX_EXITED && oldest !== undefined) this.#forget(oldest);
  }

  #forget(id: string): void {
    clearTimeout(this.#forgetting.get(id));
    this.#forgetting.delete(id);
    const session = this.#sessions.get(id)?.log.session;
    if (session !== undefined) this.#ended.set(id, session);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_LISTED && oldest !== undefined) this.#ended.delete(oldest);
    this.#sessions.delete(id);
  }
}
