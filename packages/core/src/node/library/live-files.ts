import { AppError } from "../../errors.ts";

/** Whoever has agents at work in sessions, and can tell them what to do. Paths are those of the sessions. */
export interface SessionAgents {
  /** Has the agent write the new name, which it would not notice otherwise. One that takes no orders is left alone. */
  rename(path: string, name: string): Promise<void>;
  /** Ends the agent. One that takes no orders is left alone. */
  stop(path: string): Promise<void>;
}

/** The files of sessions in which agents are at work. */
export class LiveFiles {
  readonly #touched: (paths: string[]) => void;
  #paths: ReadonlySet<string> = new Set();
  #agents: SessionAgents | null = null;

  /** @param touched takes note of sessions whose records have changed. */
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

  /** Leaves a new name to the agent; `false` where none is at work. */
  async rename(path: string, name: string): Promise<boolean> {
    if (!this.#paths.has(path)) return false;
    await this.#agents?.rename(path, name);
    return true;
  }

  /**
   * Lets go of a file that is to be deleted.
   *
   * @throws AppError `CONFLICT` where an agent is at work and is not to be stopped.
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
