import type { LibraryLog } from "../../library-log.ts";

export interface DirectorySurvey {
  /** Directories that are scanned. */
  existing: string[];
  /** Directories that would be scanned if they existed. */
  missing: string[];
  /** Directories configured by the user. */
  configured: string[];
}

/** Reports missing session directories: once in the log, and in the status. */
export class MissingDirectories {
  readonly #log: LibraryLog;
  #told: ReadonlySet<string> = new Set();
  #problem: string | null = null;

  constructor(log: LibraryLog) {
    this.#log = log;
  }

  /** Message about missing directories; `null` unless a directory disappeared or a configured one does not exist. */
  get problem(): string | null {
    return this.#problem;
  }

  /** @param kept missing or empty directories with known sessions. */
  update({ existing, missing, configured }: DirectorySurvey, kept: string[]): void {
    const told = new Set([...missing.filter((path) => configured.includes(path)), ...kept]);
    for (const path of told) {
      if (!this.#told.has(path)) this.#log.warn({ path }, `A session directory is ${stateOf(path, missing)}`);
    }
    for (const path of this.#told) {
      if (!told.has(path) && existing.includes(path)) this.#log.info({ path }, "A session directory is back");
    }
    this.#told = told;
    // An empty default directory is normal.
    const amiss = [...told].filter((path) => missing.includes(path) || configured.includes(path));
    const sentences = amiss.map((path) => `The session directory ${path} is ${stateOf(path, missing)}.`);
    this.#problem = sentences.length === 0 ? null : sentences.join(" ");
  }
}

function stateOf(path: string, missing: readonly string[]): string {
  const state = missing.includes(path) ? "missing" : "empty";
  return `${state}; its sessions are remembered for a day, in case its disk comes back`;
}
