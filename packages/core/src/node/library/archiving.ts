import { setImmediate as turn } from "node:timers/promises";
import type { ArchivedChange } from "../../library.ts";
import type { SessionIdentity, StateStore } from "../state/ports.ts";

export interface ArchivingOptions {
  marks: Pick<StateStore, "setArchived">;
  /** Finds a session by the path of a payload. Rejects like all commands with a path. */
  session(path: string): Promise<SessionIdentity>;
  /** Called with sessions whose records changed. */
  touched(paths: string[]): void;
}

/** A few milliseconds: then others have their turn. */
const SESSIONS_AT_ONCE = 500;

/** Archives sessions and takes them back, without changing their files. */
export class Archiving {
  readonly #options: ArchivingOptions;

  constructor(options: ArchivingOptions) {
    this.#options = options;
  }

  /** Changes all that can be; an error of the store, which stands for all of them, is thrown. */
  async set(paths: readonly string[], isArchived: boolean): Promise<ArchivedChange> {
    const { marks, session, touched } = this.#options;
    const found = new Map<string, SessionIdentity>();
    const failed: ArchivedChange["failed"] = [];
    for (const given of new Set(paths)) {
      try {
        const { path, id } = await session(given);
        found.set(path, { path, id });
      } catch (error) {
        failed.push({ path: given, error });
      }
    }
    const at = isArchived ? new Date().toISOString() : null;
    const sessions = [...found.values()];
    const changed: string[] = [];
    for (let start = 0; start < sessions.length; start += SESSIONS_AT_ONCE) {
      const some = await marks.setArchived(sessions.slice(start, start + SESSIONS_AT_ONCE), at);
      touched(some);
      changed.push(...some);
      await turn();
    }
    return { changed, failed };
  }
}
