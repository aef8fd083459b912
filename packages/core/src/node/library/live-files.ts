import { AppError } from "../../errors.ts";

/** Controls the running agents of sessions. Paths are those of the sessions. */
export interface SessionAgents {
  /**
   * Makes the agent write the new name, which it would not notice in the file. Does nothing for agents that cannot be
   * controlled.
   */
  rename(path: string, name: string): Promise<void>;
  /** Ends the agent. Does nothing for agents that cannot be controlled. */
  stop(path: string): Promise<void>;
}

/** Session files with running agents. */
export class LiveFiles {
  readonly #touched: (paths: string[]) => void;
  #paths: ReadonlySet<string> = new Set();
  #agents: SessionAgents | null = null;

  /** @param touched called with sessions whose records changed. */
  constructor(touched: (paths: string[]) => void) {
    this.#touched = touched;
  }

  get paths(): ReadonlySet<string> {
    return this.#paths;
  }

  set(paths: ReadonlySet<string>, agents: SessionAgents): void {
    const before = this.#paths;
    this.#paths = new Set(paths);
    this.#agents = agents;
    const changed = [...before, ...paths].filter((path) => !before.has(path) || !paths.has(path));
    if (changed.length > 0) this.#touched(changed);
  }

  /** Passes a new name to the agent; `false` without a running one. */
  async rename(path: string, name: string): Promise<boolean> {
    if (!this.#paths.has(path)) return false;
    await this.#agents?.rename(path, name);
    return true;
  }

  /**
   * Prepares a file for deletion.
   *
   * @throws AppError `CONFLICT` if an agent is running and must not be stopped.
   */
  async release(path: string, force: boolean): Promise<void> {
    if (!this.#paths.has(path)) return;
    if (!force) {
      throw new AppError(
        "CONFLICT",
        "An agent is using this session: stop it first, or delete the session with force.",
      );
    }
    await this.#agents?.stop(path);
  }
}
