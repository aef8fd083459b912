import type { RemoteSegments } from "./remote-segments.ts";
import type { AskTexts } from "./remote-texts.ts";
import type { SearchedSessions, SessionFacts } from "./session-attributes.ts";
import { jsonOf, type SharedPaths } from "./shared-paths.ts";

/** What a thread knows of the sessions of one user. */
export class KnownAttributes {
  readonly facts = new Map<number, SessionFacts>();
  archived: { paths: number; sessions: string; keys: ReadonlySet<number> } | null = null;
}

/** The sessions of one user, in one search. */
export class RemoteAttributes implements SearchedSessions {
  readonly #segments: RemoteSegments;
  readonly #known: KnownAttributes;
  readonly #ask: AskTexts;

  constructor(segments: RemoteSegments, known: KnownAttributes, ask: AskTexts) {
    this.#segments = segments;
    this.#known = known;
    this.#ask = ask;
  }

  ofPaths(paths: readonly string[]): ReadonlySet<number> {
    return new Set(paths.length === 0 ? [] : this.#ask("sessionKeys", [...paths]));
  }

  archived(paths: SharedPaths): ReadonlySet<number> {
    const { version } = this.#segments;
    const before = this.#known.archived;
    if (before?.paths === paths.version && before.sessions === version) return before.keys;
    // Written by `sharePaths`.
    const texts = JSON.parse(jsonOf(paths)) as string[];
    const keys = new Set(texts.length === 0 ? [] : this.#ask("sessionKeysBelow", texts));
    this.#known.archived = { paths: paths.version, sessions: version, keys };
    return keys;
  }

  where(isWanted: (facts: SessionFacts) => boolean): ReadonlySet<number> {
    const { facts } = this.#known;
    const living = this.#segments.sessions;
    for (const key of facts.keys()) if (!living.has(key)) facts.delete(key);
    const unknown = [...living].filter((key) => !facts.has(key));
    if (unknown.length > 0) {
      for (const { key, ...ofSession } of this.#ask("sessionFacts", unknown)) facts.set(key, ofSession);
    }
    const found = new Set<number>();
    for (const [key, ofSession] of facts) if (isWanted(ofSession)) found.add(key);
    return found;
  }
}
