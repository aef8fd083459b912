import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type AgentNews, AppError, type LiveSession, type LiveState, newsOfAgent, oneLine } from "@sm/core";
import type { Library, LibraryLog } from "@sm/core/node";

/** What a device is told, as the page's service worker reads it. */
export interface PushNotice {
  news: AgentNews | "added";
  /** `null` if it is about no session. */
  session_id: string | null;
  /** Name of the session, or of its directory. */
  title: string;
  /** The question, or the first line of the error. */
  text: string | null;
}

export interface PushNoticesOptions {
  sessions: () => Promise<readonly LiveSession[]>;
  library: Pick<Library, "session">;
  /** Sends a notice to all devices. */
  tell: (notice: PushNotice, topic: string) => Promise<void>;
  log: LibraryLog;
  /** Time in which somebody who sits before the agent answers. */
  delayMs?: number;
}

const DELAY_MS = 5_000;
/** Longer texts are cut by systems that show them; a push service takes 4,096 bytes. */
const MAX_TEXT = 200;

/** Tells devices of agents that ask, fail or end. */
export class PushNotices {
  readonly #options: PushNoticesOptions;
  readonly #states = new Map<string, LiveState>();
  /** Notices to come, by session. */
  readonly #coming = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: PushNoticesOptions) {
    this.#options = options;
  }

  /** Called with each change of an agent's state. */
  stateChanged(id: string, state: LiveState): void {
    if (this.#isClosed) return;
    const before = this.#states.get(id) ?? "idle";
    if (state === "exited") this.#states.delete(id);
    else this.#states.set(id, state);
    if (before === state) return;
    clearTimeout(this.#coming.get(id));
    this.#coming.delete(id);
    if (newsOfAgent(before, { state, outcome: null }) === null) return;
    const timer = setTimeout(() => {
      this.#coming.delete(id);
      void this.#tell(id, before, state);
    }, this.#options.delayMs ?? DELAY_MS);
    this.#coming.set(id, timer.unref());
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#coming.values()) clearTimeout(timer);
    this.#coming.clear();
  }

  async #tell(id: string, before: LiveState, state: LiveState): Promise<void> {
    const { sessions, tell, log } = this.#options;
    try {
      const session = (await sessions()).find(({ session_id }) => session_id === id);
      // Its outcome is known by now.
      const news = session?.state === state ? newsOfAgent(before, session) : null;
      if (session === undefined || news === null) return;
      const text = news === "asks" ? (session.question?.title ?? null) : (session.outcome?.error ?? null);
      const title = oneLine(await this.#titleOf(session), MAX_TEXT);
      await tell({ news, session_id: id, title, text: text === null ? null : oneLine(text, MAX_TEXT) }, topicOf(id));
    } catch (error) {
      // A service that ends has no agents to tell of.
      if (this.#isClosed || isStopping(error)) return;
      log.warn({ err: error, session_id: id }, "Could not tell the devices of an agent.");
    }
  }

  async #titleOf({ name, session_path, cwd }: LiveSession): Promise<string> {
    if (name !== null) return name;
    const stored = session_path === null ? null : await this.#options.library.session(session_path).catch(() => null);
    return stored?.title ?? (basename(cwd) || cwd);
  }
}

function isStopping(error: unknown): boolean {
  return error instanceof AppError && error.code === "UNAVAILABLE";
}

/** Push services learn this, so it tells nothing of the session. */
function topicOf(sessionId: string): string {
  return createHash("sha256").update(`topic ${sessionId}`).digest("base64url").slice(0, 32);
}
