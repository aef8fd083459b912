import {
  type Bitset,
  CostBudget,
  documentsOf,
  Evaluator,
  expectWords,
  type FoundDocuments,
  type IndexQuery,
  identifierSplitter,
  NO_STATISTICS,
  rankDocuments,
  type SegmentView,
} from "@sm/text-index";
import { containsFolded } from "@sm/text-index/analysis";
import type { SearchHit, SearchPage } from "../../library.ts";
import { isAgentNamed } from "../../search/agent-name.ts";
import { wordsOf } from "../../search/query-terms.ts";
import type { QueryNode } from "../../search/query-tree.ts";
import { makeSnippet, type SnippetTerm, snippetTerms } from "../../search/snippet.ts";
import { formatTimestamp, parseTimestamp } from "../../session/timestamp.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { decodePosition, encodePosition } from "./cursor.ts";
import { WEIGHT_BY_CODE } from "./kind-weights.ts";
import type { LiveSegment } from "./living.ts";
import {
  byTime,
  type Match,
  matchesInOrder,
  NO_TIME,
  type PageOptions,
  type Rank,
  ShownMatches,
} from "./match-page.ts";
import { PARTS } from "./part-codes.ts";
import { kindsOf, looksForText } from "./plan.ts";
import { planQuery, type QueryWorld } from "./planner.ts";
import type { SearchTask } from "./search-tasks.ts";
import type { SearchedSessions } from "./session-attributes.ts";
import type { FoundText, TextReader } from "./texts.ts";
import { Verifier } from "./verify.ts";

const SNIPPET_LENGTH = 200;
/** Cost limit of a search, see `CostBudget`. */
const MAX_STEPS = 15_000_000;

/** The searchable data. */
export interface Searchable {
  segments: readonly LiveSegment[];
  sessions: SearchedSessions;
  texts: TextReader;
}

export type SearchAnswer = Omit<SearchPage, "indexing" | "took_ms">;

/**
 * Runs one search.
 *
 * @throws AppError INVALID_PAYLOAD for a cursor of another search; UnwantedError.
 */
export function answer(
  task: SearchTask,
  query: QueryNode,
  { segments, sessions, texts }: Searchable,
  current: CurrentTask,
): SearchAnswer {
  const start = decodePosition(task);
  const now = start?.statistics.now ?? task.now;
  const views = segments.map(({ view }) => view);
  const living = segments.map((segment) => segment.living);
  const budget = new CostBudget(MAX_STEPS, () => current.isWanted);
  const forExclusion = budget.of(MAX_STEPS);
  const { verify } = new Verifier(views, texts, budget, current);
  const evaluator = new Evaluator(views, budget, forExclusion, verify);

  expectWords(
    views.map(({ segment }) => segment),
    () => wordsOf(query),
  );

  const world: QueryWorld = {
    now,
    split: identifierSplitter(views),
    inProject: (text) => sessions.where(({ project }) => project !== null && containsFolded(project, text)),
    ofAgent: ({ value, prefix }) => sessions.where(({ format }) => isAgentNamed(value, format, prefix)),
    tagged: ({ value, prefix }) =>
      sessions.ofPaths(task.tagged.find((tag) => tag.value === value && tag.prefix === prefix)?.paths ?? []),
    noted: ({ value, prefix }) =>
      sessions.ofPaths(task.noted.find((note) => note.value === value && note.prefix === prefix)?.paths ?? []),
    withNotes: () => sessions.ofPaths(task.withNotes),
    inState: (state) => (state === "archived" ? sessions.archived(task.archivedPaths) : sessions.ofPaths(task[state])),
    named: ({ value, prefix }, words) => {
      const found = new Set(keysOf(views, evaluator.evaluate({ type: "and", nodes: [PRESENT_NAMES, words] }, living)));
      for (const key of sessions.ofPaths(task.renamed)) found.delete(key);
      const own = task.named.find((name) => name.value === value && name.prefix === prefix);
      for (const key of sessions.ofPaths(own?.paths ?? [])) found.add(key);
      return found;
    },
  };
  const plan = planQuery(query, world);
  const root: IndexQuery = { type: "and", nodes: [plan.root, ...conditionsOf(task, sessions)] };
  const matches = evaluator.evaluate(root, living);
  current.check();

  // A query of fields only lists sessions, each with its newest matching entry.
  const isList = !looksForText(query);
  const options: PageOptions = {
    sort: isList ? "newest" : task.sort,
    perSession: isList ? 1 : task.path === undefined ? task.per_session : Number.POSITIVE_INFINITY,
    limit: task.limit,
  };
  let total = 0;
  const found = matches.map((bits, place): FoundDocuments => {
    const view = views[place] as SegmentView;
    const documents = documentsOf(bits);
    total += documents.length;
    return { view, documents: start === null ? documents : upTo(start.newest, view, documents) };
  });
  const newest = start?.newest ?? newestOf(found);
  const { matched, statistics } =
    options.sort === "newest"
      ? { matched: found.map(byTime), statistics: { ...NO_STATISTICS, now } }
      : rankDocuments(found, evaluator, plan.leaves, start?.statistics ?? null, now, WEIGHT_BY_CODE);

  const terms = snippetTerms(query, world.split);
  const hits: SearchHit[] = [];
  const shown = new ShownMatches(start?.shown.counts);
  let last: Rank | null = null;
  let isMore = false;
  let missing = 0;
  for (const match of inPages(matchesInOrder(matched, options, start), task.limit, texts)) {
    // One match more than the page shows that there is a next one.
    isMore = hits.length === task.limit;
    if (isMore) break;
    last = match.rank;
    shown.add(last.key);
    current.check();
    const text = texts.read(match.view.documents, match.document);
    // `null`: the file has changed.
    if (text !== null) hits.push(hitOf(text, terms, match.rank.value));
    else if (++missing === MAX_MISSING) {
      isMore = true;
      break;
    }
  }
  return {
    hits,
    total: isList ? keysOf(views, matches).size : total,
    total_is_exact: budget.isComplete && forExclusion.isComplete && missing < MAX_MISSING,
    next_cursor: isMore && last !== null ? encodePosition(task, { statistics, newest, rank: last, shown }) : null,
  };
}

/** Lets the texts of as many matches as a page has be fetched together. */
function* inPages(matches: Iterable<Match>, limit: number, texts: TextReader): Generator<Match> {
  let page: Match[] = [];
  for (const match of matches) {
    page.push(match);
    if (page.length <= limit) continue;
    yield* expected(page, limit, texts);
    page = [];
  }
  yield* expected(page, limit, texts);
}

function expected(page: readonly Match[], limit: number, texts: TextReader): readonly Match[] {
  texts.expect(page.slice(0, limit).map(({ view, document }) => ({ documents: view.documents, document })));
  return page;
}

/** Limit of unreadable texts per page, if files were deleted unnoticed; then the page ends early. */
const MAX_MISSING = 500;

/** Text of session names. */
const PRESENT_NAMES: IndexQuery = { type: "codes", codes: PARTS.map(({ kind }) => kind === "name") };

/** Conditions of the payload besides the query. */
function conditionsOf(task: SearchTask, sessions: SearchedSessions): IndexQuery[] {
  const { role, project, format, since, until, paths, archived } = task;
  const conditions: IndexQuery[] = [];
  if (role !== "all") conditions.push(kindsOf(role));
  if (project !== undefined) {
    conditions.push({ type: "keys", keys: sessions.where((facts) => facts.project === project) });
  }
  if (format !== undefined) {
    conditions.push({ type: "keys", keys: sessions.where((facts) => facts.format === format) });
  }
  if (archived !== "include") {
    const keys: IndexQuery = { type: "keys", keys: sessions.archived(task.archivedPaths) };
    if (archived === "only") conditions.push(keys);
    else if (keys.keys.size > 0) conditions.push({ type: "not", node: keys });
  }
  if (paths !== null) conditions.push({ type: "keys", keys: sessions.ofPaths(paths) });
  if (since !== undefined || until !== undefined) {
    conditions.push({
      type: "time",
      from: parseTimestamp(since) ?? Number.NEGATIVE_INFINITY,
      before: parseTimestamp(until) ?? Number.POSITIVE_INFINITY,
    });
  }
  return conditions;
}

function keysOf(views: readonly SegmentView[], matches: readonly Bitset[]): ReadonlySet<number> {
  const keys = new Set<number>();
  for (const [place, { documents }] of views.entries()) {
    for (const document of documentsOf(matches[place] ?? new Uint32Array())) keys.add(documents.keys[document] ?? 0);
  }
  return keys;
}

/** Documents up to a time; those without a time always qualify. */
function upTo(newest: number, { documents: { timestamps } }: SegmentView, documents: Uint32Array): Uint32Array {
  return documents.filter((document) => !((timestamps[document] ?? Number.NaN) > newest));
}

function newestOf(found: readonly FoundDocuments[]): number {
  let newest = NO_TIME;
  for (const { view, documents } of found) {
    const { timestamps } = view.documents;
    for (let place = 0; place < documents.length; place++) {
      // Documents without a time qualify, because comparisons with NaN are false.
      const time = timestamps[documents[place] as number] as number;
      if (time > newest) newest = time;
    }
  }
  return newest;
}

function hitOf({ session, entry, part, text }: FoundText, terms: readonly SnippetTerm[], score: number): SearchHit {
  return {
    session_path: session.path,
    format: session.format,
    session_id: session.id,
    session_title: session.title,
    cwd: session.cwd,
    entry_id: entry.id,
    role: part.role,
    kind: part.kind,
    tool_name: part.toolName,
    timestamp: formatTimestamp(entry.timestamp),
    ...makeSnippet(text, terms, { length: SNIPPET_LENGTH }),
    score,
  };
}
