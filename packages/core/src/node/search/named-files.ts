import { CostBudget, has, type PostingList, type Segment, valuesContaining } from "@sm/text-index";
import type { NamedFile } from "../../library.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { piecesOfPath } from "./field-queries.ts";
import type { LiveSegment } from "./living.ts";

/** Cost limits of finding and counting, see `CostBudget`: some 50 ms together. */
const MAX_STEPS = 3_000_000;
const MAX_COUNTING_STEPS = 1_000_000;
/** Cost of a value of the dictionary. */
const STEPS_OF_VALUE = 150;
/** How many times as many names are counted as wanted: counting takes longer than finding. */
const COUNTED = 4;

const FIELD = "file:";
const SEPARATORS = ["/", "\\"] as const;

interface Candidate {
  name: string;
  /** Calls in all segments, of sessions that are gone, too. */
  calls: number;
  lists: [segment: LiveSegment, postings: PostingList][];
}

/**
 * Finds names of files in the arguments of tool calls that begin so, from the vocabulary of the index, with the number of
 * sessions that have them. With folders before it, the name is that of a path that ends so.
 *
 * @param isShown whether the session with this key counts.
 */
export function namedFiles(
  { prefix, limit }: { prefix: string; limit: number },
  segments: readonly LiveSegment[],
  isShown: (key: number) => boolean,
  current: CurrentTask,
): NamedFile[] {
  const budget = new CostBudget(MAX_STEPS, () => current.isWanted);
  const counting = budget.of(MAX_COUNTING_STEPS);
  const candidates = [...candidatesFor(prefix.toLowerCase(), segments, budget)].sort((a, b) => b.calls - a.calls);
  const named: NamedFile[] = [];
  for (const { name, lists } of candidates.slice(0, limit * COUNTED)) {
    const keys = new Set<number>();
    for (const [{ view, living }, postings] of lists) {
      counting.spend(postings.documentCount);
      for (const document of postings.list().documents) {
        const key = view.documents.keys[document] ?? 0;
        if (has(living, document) && isShown(key)) keys.add(key);
      }
    }
    if (counting.isSpent) break;
    if (keys.size > 0) named.push({ name, session_count: budget.isComplete ? keys.size : null });
  }
  current.check();
  const most = ({ session_count }: NamedFile) => session_count ?? 0;
  return named.sort((a, b) => most(b) - most(a) || (a.name < b.name ? -1 : 1)).slice(0, limit);
}

function candidatesFor(prefix: string, segments: readonly LiveSegment[], budget: CostBudget): Iterable<Candidate> {
  const folders = piecesOfPath(prefix);
  const beginning = /[/\\]$/.test(prefix) ? "" : (folders.pop() ?? "");
  const found = new Map<string, Candidate>();
  if (folders.length === 0 && beginning === "") return [];
  for (const segment of segments) {
    for (const [value, postings] of valuesWith(segment, folders, beginning)) {
      if (!budget.spend(STEPS_OF_VALUE)) return found.values();
      const start = nameStart(value);
      if (!value.startsWith(beginning, start) || start === value.length) continue;
      const name = folders.length === 0 ? value.slice(start) : nameBelow(folders, value);
      if (name === null) continue;
      const candidate = found.get(name) ?? { name, calls: 0, lists: [] };
      candidate.calls += postings.documentCount;
      candidate.lists.push([segment, postings]);
      found.set(name, candidate);
    }
  }
  return found.values();
}

/** Values that may name such a file, each once. */
function* valuesWith(
  { view: { segment } }: LiveSegment,
  folders: readonly string[],
  beginning: string,
): Generator<[value: string, postings: PostingList]> {
  for (const separator of hasBackslashes(segment) ? SEPARATORS : SEPARATORS.slice(0, 1)) {
    const text = folders.length === 0 ? separator + beginning : [...folders, beginning].join(separator);
    for (const postings of valuesContaining(segment, "file", text)) {
      const value = postings.term.slice(FIELD.length);
      if (value[nameStart(value) - 1] === separator) yield [value, postings];
    }
  }
  if (folders.length > 0) return;
  for (const postings of segment.range(FIELD + beginning, `${FIELD}${beginning}\uffff`)) {
    const value = postings.term.slice(FIELD.length);
    if (nameStart(value) === 0) yield [value, postings];
  }
}

/** Segments never change; most have none, and to look for them takes as long as for names. */
const backslashes = new WeakMap<Segment, boolean>();

function hasBackslashes(segment: Segment): boolean {
  const known = backslashes.get(segment);
  if (known !== undefined) return known;
  const [first] = valuesContaining(segment, "file", "\\");
  backslashes.set(segment, first !== undefined);
  return first !== undefined;
}

/** Where the last piece of a path begins. */
function nameStart(path: string): number {
  return Math.max(...SEPARATORS.map((separator) => path.lastIndexOf(separator))) + 1;
}

/** The end of a path with these folders; `null` if it has others. */
function nameBelow(folders: readonly string[], path: string): string | null {
  const pieces = piecesOfPath(path).slice(-1 - folders.length);
  return pieces.length > folders.length && folders.every((folder, at) => folder === pieces[at])
    ? pieces.join("/")
    : null;
}
