import type { ListOptions, SessionSort } from "../../library.ts";
import { type Expiry, isNear } from "../../session/expiry.ts";
import type { SessionOutcome } from "../../session/record.ts";
import { titleOf } from "../../session/session-title.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import type { UsageOf } from "./counted-usage.ts";
import { FilterWords } from "./filter-words.ts";
import { type StoredSession, summaryOf } from "./stored-session.ts";

/** A stored session with the times of its record, in milliseconds since 1970. */
export type ListedSession = StoredSession & { modified: number; created: number; folded: 0 | 1 };

/** The key of a session that is gone: no other has it. */
const GONE = 0;

/**
 * What sessions are sorted and filtered by, in columns: to go through one of 50,000 values takes a millisecond, through
 * as many objects ten. Sessions have numbers, which stay theirs: whoever goes through them meets each session once,
 * whatever changes.
 */
export class SessionColumns {
  /** By number, like all columns. */
  readonly #keys: number[] = [];
  readonly #projects: (string | null)[] = [];
  readonly #formats: string[] = [];
  readonly #modified: number[] = [];
  readonly #sorted: Record<SessionSort, (string | number)[]> = {
    modified: this.#modified,
    created: [],
    size: [],
    messages: [],
    cost: [],
    title: [],
  };
  readonly #folded: (0 | 1)[] = [];
  /** Whether any was ever folded. */
  #hasFolded = false;
  /** Times, in milliseconds since 1970, at which agents delete files. */
  readonly #expiries: number[] = [];
  /** How the last runs of sessions have ended, where not well. */
  readonly #outcomes: (SessionOutcome | null)[] = [];
  readonly #words = new FilterWords();
  /** By path. */
  readonly #numbers = new Map<string, number>();

  readonly #expiry: Expiry;

  constructor(expiry: Expiry) {
    this.#expiry = expiry;
  }

  /** @param name given to the session apart from its file. */
  set(session: ListedSession, name: string | undefined, usageOf: UsageOf): void {
    const { key, path, project, format, modified, created, size, folded } = session;
    const { state, has_ending } = summaryOf(session);
    const title = titleOf(name === undefined ? state : { ...state, name }, path);
    const number = this.#numbers.get(path) ?? this.#keys.length;
    this.#numbers.set(path, number);
    this.#keys[number] = key;
    this.#projects[number] = project;
    this.#formats[number] = format;
    this.#modified[number] = modified;
    this.#folded[number] = folded;
    if (folded === 1) this.#hasFolded = true;
    this.#expiries[number] = this.#expiry.of(session);
    this.#outcomes[number] = has_ending ? (state.ending?.outcome ?? null) : null;
    this.#sorted.created[number] = created;
    this.#sorted.size[number] = size;
    this.#sorted.messages[number] = state.message_count;
    const { cost_usd: recorded, estimated_cost_usd: estimated } = usageOf(key, state);
    this.#sorted.cost[number] = (recorded ?? 0) + (estimated ?? 0);
    this.#sorted.title[number] = title;
    this.#words.set(number, { path, project, id: session.sessionId, title, first: state.first_message });
  }

  delete(path: string): void {
    const number = this.#numbers.get(path);
    if (number !== undefined) this.#keys[number] = GONE;
  }

  /** Key of a session; `null` where it is gone. */
  key(number: number): number | null {
    const key = this.#keys[number] ?? GONE;
    return key === GONE ? null : key;
  }

  values(sort: SessionSort): readonly (string | number)[] {
    return this.#sorted[sort];
  }

  /** Every number, the last one first: sessions mostly came in the order of their times, or in the opposite one. */
  *numbers(isBackwards: boolean): Generator<number> {
    if (isBackwards) for (let number = this.#keys.length - 1; number >= 0; number--) yield number;
    else for (let number = 0; number < this.#keys.length; number++) yield number;
  }

  /** Numbers of the sessions with these paths. */
  *numbersOf(paths: readonly string[]): Generator<number> {
    for (const path of new Set(paths)) {
      const number = this.#numbers.get(path);
      if (number !== undefined) yield number;
    }
  }

  /** Paths of the sessions whose files go soon. */
  expiring(now: number): string[] {
    const isThere = (number: number) => this.key(number) !== null && isNear(this.#expiries[number] ?? 0, now);
    return [...this.#numbers].flatMap(([path, number]) => (isThere(number) ? path : []));
  }

  /** Paths of the sessions whose last run has ended so. */
  ended(outcome: SessionOutcome): string[] {
    const isThere = (number: number) => this.#outcomes[number] === outcome && this.key(number) !== null;
    return [...this.#numbers].flatMap(([path, number]) => (isThere(number) ? path : []));
  }

  /** Makes a test for a session's number: whether filters leave it over. */
  matching({ project, format, since, until, query = "", subagents }: ListOptions): (number: number) => boolean {
    const tests: ((number: number) => boolean)[] = [];
    if (project !== undefined) tests.push((number) => this.#projects[number] === project);
    if (this.#hasFolded && subagents !== "all") tests.push((number) => this.#folded[number] === 0);
    if (format !== undefined) tests.push((number) => this.#formats[number] === format);
    const first = since === undefined ? Number.NEGATIVE_INFINITY : timeOf(since);
    const end = until === undefined ? Number.POSITIVE_INFINITY : timeOf(until);
    if (since !== undefined) tests.push((number) => (this.#modified[number] ?? 0) >= first);
    if (until !== undefined) tests.push((number) => (this.#modified[number] ?? 0) < end);
    if (query.trim() !== "") tests.push(this.#words.matching(query));
    return (number) => tests.every((test) => test(number));
  }
}

/** A time that was validated, in milliseconds since 1970. */
export function timeOf(time: string): number {
  return parseTimestamp(time) ?? Number.NaN;
}
