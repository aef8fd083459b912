import type { LiveSession } from "@sm/core";
import { isRunning } from "@sm/core/files";
import { isAgent, listProcesses, workingDirectoryOf } from "./processes.ts";

/** Listing all processes takes about ten milliseconds; several clients may ask at the same time. */
const FRESH_MS = 1_000;
/** Limit of processes whose working directory is looked up. */
const MAX_LISTED = 200;

/** All agent processes of this machine. */
export class ExternalAgents {
  readonly #names: ReadonlySet<string>;
  #listed: Promise<LiveSession[]> = Promise.resolve([]);
  #freshUntil = 0;

  /** `names` of the agent's program. */
  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  /** Omits processes that have ended or cannot be inspected. */
  async list(): Promise<LiveSession[]> {
    const now = performance.now();
    if (now >= this.#freshUntil) {
      this.#freshUntil = now + FRESH_MS;
      this.#listed = this.#listAgents();
    }
    return (await this.#listed).filter(({ pid }) => pid !== null && isRunning(pid));
  }

  async #listAgents(): Promise<LiveSession[]> {
    const processes = await listProcesses().catch(() => []);
    const agents = processes.filter(({ args }) => isAgent(args, this.#names)).slice(0, MAX_LISTED);
    const sessions = agents.map(async ({ pid, started_at }): Promise<LiveSession | null> => {
      const cwd = await workingDirectoryOf(pid);
      if (cwd === null) return null;
      return {
        session_id: `external-${pid}`,
        session_path: null,
        cwd,
        pid,
        state: "idle",
        model: null,
        context_window: null,
        thinking_level: null,
        started_at,
        last_event_at: started_at,
        pending_messages: 0,
        name: null,
        question: null,
        activity: null,
        outcome: null,
        controllable: false,
      };
    });
    return (await Promise.all(sessions)).filter((session) => session !== null);
  }
}
