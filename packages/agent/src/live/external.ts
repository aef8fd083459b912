import type { LiveSession } from "@sm/core";
import { isRunning } from "@sm/core/files";
import { isAgent, listProcesses, workingDirectoryOf } from "./processes.ts";

/** Looking through all processes costs some ten milliseconds; several clients may ask at once. */
const FRESH_MS = 1_000;
/** Of which the working directory is looked up. */
const MOST_LISTED = 200;

/** The agents of this machine, whoever has started them. */
export class ExternalAgents {
  readonly #names: ReadonlySet<string>;
  #listed: Promise<LiveSession[]> = Promise.resolve([]);
  #freshUntil = 0;

  /** Takes the names under which the agent's program runs. */
  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  /** A process that cannot be looked at, or has ended since it was, is left out. */
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
    const agents = processes.filter(({ args }) => isAgent(args, this.#names)).slice(0, MOST_LISTED);
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
        thinking_level: null,
        started_at,
        last_event_at: started_at,
        pending_messages: 0,
        name: null,
        controllable: false,
      };
    });
    return (await Promise.all(sessions)).filter((session) => session !== null);
  }
}
