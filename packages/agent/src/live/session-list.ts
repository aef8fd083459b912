import type { ControlledSession } from "./controlled-session.ts";
import type { LiveEvent, SessionListener, SessionLog } from "./session-log.ts";

export interface SessionListOptions {
  publish(event: LiveEvent): void;
  /** Called with the session files that are written to by running sessions, whenever they change. */
  onPathsChanged(paths: ReadonlySet<string>): void;
}

/** How long the end of a session can be read. */
const EXITED_KEPT_MS = 10 * 60_000;
const MOST_EXITED = 20;

/** The sessions that can be controlled, and for a while those that have exited. */
export class SessionList implements SessionListener {
  readonly #options: SessionListOptions;
  readonly #sessions = new Map<string, ControlledSession>();
  /** Of those that have exited, the first of them first. */
  readonly #forgetting = new Map<string, NodeJS.Timeout>();
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

  running(): ControlledSession[] {
    return this.all().filter(({ log }) => !log.isOver);
  }

  byPath(path: string): ControlledSession | undefined {
    return this.running().find(({ log }) => log.session.session_path === path);
  }

  /** Whoever had the id before has exited; what it has said stays readable. */
  add(id: string, session: ControlledSession): void {
    const before: SessionLog | null = this.#sessions.get(id)?.log ?? null;
    clearTimeout(this.#forgetting.get(id));
    this.#forgetting.delete(id);
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
    if (this.#forgetting.size > MOST_EXITED && oldest !== undefined) this.#forget(oldest);
  }

  #forget(id: string): void {
    clearTimeout(this.#forgetting.get(id));
    this.#forgetting.delete(id);
    this.#sessions.delete(id);
  }
}
