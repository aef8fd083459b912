import type { LibraryLog } from "../../library-log.ts";

export interface DirectorySurvey {
  /** Directories that are scanned. */
  existing: string[];
  /** Directories that would be scanned if they existed. */
  missing: string[];
  /** Those that the user has named. */
  configured: string[];
}

/** Tells which session directories are missing: in the log once, and for people as long as it lasts. */
export class MissingDirectories {
  readonly #log: LibraryLog;
  #told: ReadonlySet<string> = new Set();
  #problem: string | null = null;

  constructor(log: LibraryLog) {
    this.#log = log;
  }

  /** What is missing, for people; `null` where nothing is that was there or was asked for. */
  get problem(): string | null {
    return this.#problem;
  }

  /** @param kept directories that are missing or empty, and whose sessions are known. */
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
