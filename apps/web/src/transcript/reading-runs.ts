import type { TranscriptItem } from "@sm/core";
import { type QuietTail, quietTail, type ReadingRun } from "../entries/reading-run.ts";
import { rowAt } from "../entries/rows.ts";

/** Fewer calls take no more room than the line that would stand for them. */
const FEWEST = 3;

export interface ReadingRunsOptions {
  /** `undefined`: not loaded. */
  itemAt(place: number): TranscriptItem | undefined;
  /** The first place that is shown. */
  from: number;
  /** Whether something is shown with an entry that has to stay in sight. */
  isMarked(entryId: string): boolean;
  startsDay(place: number): boolean;
}

/** A message that can be a part of a run. */
interface Member {
  place: number;
  id: string;
  tail: QuietTail;
  startedAt: string | null;
  endedAt: string | null;
  /** It goes on with what is above; where something is said before its calls, or a day begins, it begins a run. */
  goesOn: boolean;
}

/** Finds the runs of calls that only look among the entries of a branch that are loaded. */
export class ReadingRuns {
  readonly #options: ReadingRunsOptions;
  readonly #found = new Map<number, ReadingRun | null>();

  constructor(options: ReadingRunsOptions) {
    this.#options = options;
  }

  /** The run that a message is in; `null` for others. */
  at(place: number): ReadingRun | null {
    const known = this.#found.get(place);
    if (known !== undefined) return known;
    const member = this.#memberAt(place);
    if (typeof member === "string") {
      this.#found.set(place, null);
      return null;
    }
    const members = this.#membersAround(member);
    const run = runOf(members);
    for (const { place } of members) {
      const isInside = run !== null && place >= run.first && place <= run.last;
      this.#found.set(place, isInside ? run : null);
    }
    return this.#found.get(place) ?? null;
  }

  #membersAround(member: Member): Member[] {
    const above: Member[] = [];
    for (let first = member; first.goesOn; ) {
      const before = this.#next(first.place, -1);
      if (before === null) break;
      above.push(before);
      first = before;
    }
    const members = [...above.reverse(), member];
    for (let after = this.#next(member.place, 1); after?.goesOn === true; after = this.#next(after.place, 1)) {
      members.push(after);
    }
    return members;
  }

  /** The next message that is shown, where it can be a part of the same run. */
  #next(place: number, by: 1 | -1): Member | null {
    for (let at = place + by; ; at += by) {
      const member = this.#memberAt(at);
      if (member !== "not shown") return member === "ends" ? null : member;
    }
  }

  #memberAt(place: number): Member | "not shown" | "ends" {
    const { itemAt, from, isMarked, startsDay } = this.#options;
    if (place < from) return "ends";
    const row = rowAt(place, itemAt);
    if (row.kind === "absorbed") return "not shown";
    if (row.kind !== "message") return "ends";
    const { item, results } = row;
    if (isMarked(item.id) || results.some(({ id }) => isMarked(id))) return "ends";
    const tail = quietTail(item, results);
    if (tail === null) return "ends";
    const goesOn = tail.from === 0 && !startsDay(place);
    return { place, id: item.id, tail, startedAt: item.timestamp, endedAt: results.at(-1)?.timestamp ?? null, goesOn };
  }
}

/** What was thought before the first call and behind the last one stays beside the run. */
function runOf(members: readonly Member[]): ReadingRun | null {
  const calling = ({ tail }: Member) => tail.calls.length > 0;
  const start = members.findIndex(calling);
  const inside = start < 0 ? [] : members.slice(start, members.findLastIndex(calling) + 1);
  const [first, last] = [inside[0], inside.at(-1)];
  const calls = inside.flatMap(({ tail }) => tail.calls);
  if (first === undefined || last === undefined || calls.length < FEWEST) return null;
  return {
    first: first.place,
    last: last.place,
    fromBlock: first.tail.from,
    ids: inside.map(({ id }) => id),
    calls,
    startedAt: first.startedAt,
    endedAt: last.endedAt,
  };
}
