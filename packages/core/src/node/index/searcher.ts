import { formatNamed } from "../../format/formats.ts";
import type { SearchHit, SearchPage, SearchRole } from "../../library.ts";
import {
  parseQuery,
  type Query,
  type QueryTerm,
  queryTerms,
  type SplitIdentifier,
  toFts5,
} from "../../search/query.ts";
import { makeSnippet } from "../../search/snippet.ts";
import type { SessionFormatName } from "../../session/record.ts";
import { formatTimestamp, parseTimestamp } from "../../session/timestamp.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { withSessionFile } from "../session-file.ts";
import type { SqliteDatabase } from "../sqlite.ts";
import type { RankedRow, SearchTask } from "../threads/tasks.ts";
import { type Block, type BlockRow, Blocks, keyOfRow } from "./blocks.ts";
import type { Catalog } from "./catalog.ts";
import { Identifiers } from "./identifiers.ts";
import { decodeStored } from "./index-error.ts";
import { utc } from "./listing.ts";
import { partOfCode, textTable, VOICE_WEIGHTS, VOICES, type Voice } from "./voices.ts";

const SNIPPET_LENGTH = 200;
/** Matches are counted up to here; beyond, the total says "at least". */
const MOST_COUNTED = 10_000;
/** Rows fetched at once for each hit of a page: some are passed over since their session has shown enough. */
const ROWS_PER_HIT = 8;
/** With times in question, which of the newest matches fall into them is only seen later. */
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Where a page ended: the last row looked at, and how many hits each session has shown. */
interface Position extends RankedRow {
  shown: [key: number, hits: number][];
}

/** Rows of all tables in one order: more than any table has. */
const ROWS_OF_TABLE = 2 ** 44;

/** A row with its entry's place in the session. */
interface Match {
  place: number;
  ordinal: number;
}

/** One voice in one text database. */
interface TextTable {
  database: SqliteDatabase;
  blocks: Blocks;
  shard: number;
  voice: Voice;
  /** Place of its row 0. */
  start: number;
}

interface SessionOfHit {
  path: string;
  id: string;
  title: string;
  cwd: string | null;
  format: SessionFormatName;
}

/** Answers searches from the catalog and the text databases, all opened for reading. */
export class Searcher {
  readonly #catalog: Catalog;
  readonly #tables: TextTable[];
  readonly #identifiers: Identifiers[];
  readonly #sessionOfKey;

  /** Each of `shards` has the catalog attached as `catalog`. */
  constructor(catalog: Catalog, shards: SqliteDatabase[]) {
    this.#catalog = catalog;
    this.#tables = shards.flatMap((database, shard) => {
      const blocks = new Blocks(database);
      return VOICES.map((voice, place) => ({
        database,
        blocks,
        shard,
        voice,
        start: (shard * VOICES.length + place) * ROWS_OF_TABLE,
      }));
    });
    this.#identifiers = shards.map((database) => new Identifiers(database));
    this.#sessionOfKey = shards[0]?.prepare<[number], { record: string }>(
      "SELECT record FROM catalog.files WHERE key = ?",
    );
  }

  /**
   * Ranks the rows of one text database for `search`; empty where that needs no ranking.
   *
   * @throws AppError INVALID_PAYLOAD for a query or cursor that cannot be read.
   */
  rank(task: SearchTask, shard: number): RankedRow[] {
    if (task.sort !== "relevance") return [];
    const filter = filterOf(task, parseQuery(task.query), this.#splitIdentifier);
    const tables = this.#tablesOf(filter).filter((table) => table.shard === shard);
    return tables.flatMap((table) => this.#bestRows(table, filter, startOf(task), task.limit * ROWS_PER_HIT));
  }

  /**
   * @param ranked what `rank` found in all text databases.
   * @throws AppError INVALID_PAYLOAD for a query or cursor that cannot be read.
   */
  search(task: SearchTask, ranked: RankedRow[]): Omit<SearchPage, "indexing" | "took_ms"> {
    const query = parseQuery(task.query);
    const terms = queryTerms(query, this.#splitIdentifier);
    const filter = filterOf(task, query, this.#splitIdentifier);
    const start = startOf(task);
    const { total, isExact } = this.#count(filter);
    // Times are checked hit by hit: a count over all rows may be too high, and the newest rows may not be wanted.
    const isTimed = task.since !== undefined || task.until !== undefined;
    const rows =
      task.sort === "relevance"
        ? this.#byRelevance(filter, ranked, task.limit * ROWS_PER_HIT)
        : this.#byAge(filter, start, isExact, isTimed ? NO_LIMIT : task.per_session);
    const shown = new Map(start?.shown);
    const hits: SearchHit[] = [];
    let position: RankedRow | null = null;
    let isFull = false;
    for (const row of rows) {
      // One row further than the page tells that there is a next one.
      isFull = hits.length === task.limit;
      if (isFull) break;
      position = row;
      const resolved = this.#resolve(row.place);
      const already = shown.get(resolved?.key ?? -1) ?? 0;
      if (resolved === null || already >= task.per_session) continue;
      const hit = this.#hit(resolved, row.score, terms, task);
      if (hit === null) continue;
      shown.set(resolved.key, already + 1);
      hits.push(hit);
    }
    const next =
      isFull && position !== null ? encodeCursor({ ...position, shown: [...shown] } satisfies Position) : null;
    return { hits, total, total_is_exact: isExact && !isTimed, next_cursor: next };
  }

  readonly #splitIdentifier: SplitIdentifier = (word, prefix) =>
    this.#identifiers.flatMap((identifiers) => identifiers.split(word, prefix));

  /** @param ranked the best rows of each table, at most `atOnce` of each. */
  *#byRelevance(filter: Filter, ranked: RankedRow[], atOnce: number): Generator<RankedRow> {
    for (let rows = ranked; ; ) {
      const page = rows.sort((a, b) => a.score - b.score || a.place - b.place).slice(0, atOnce);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < atOnce) return;
      rows = this.#tablesOf(filter).flatMap((table) => this.#bestRows(table, filter, last, atOnce));
    }
  }

  #bestRows(table: TextTable, filter: Filter, after: RankedRow | null, limit: number): RankedRow[] {
    const name = textTable(table.voice);
    // bm25 is negative, a better match is less: a larger weight ranks higher.
    const score = `bm25(${name}) * ${VOICE_WEIGHTS[table.voice]}`;
    const beyond = after === null ? "" : "WHERE score > @score OR (score = @score AND row > @row)";
    const sql = `SELECT row, score FROM (SELECT rowid AS row, ${score} AS score FROM ${conditionFor(table, filter)})
      ${beyond} ORDER BY score, row LIMIT @limit`;
    const position = after === null ? {} : { score: after.score, row: after.place - table.start };
    const rows = table.database.prepare<unknown[], { row: number; score: number }>(sql);
    return rows
      .all({ ...filter.values, ...position, limit })
      .map(({ row, score }) => ({ place: table.start + row, score }));
  }

  /** The newest session first, in it the newest entry. Text tables know no times, so sessions are gone through. */
  *#byAge(filter: Filter, start: RankedRow | null, isRare: boolean, perSession: number): Generator<RankedRow> {
    const matches = isRare ? this.#matchesBySession(filter) : null;
    const startRow = start === null ? null : this.#resolve(start.place);
    for (const { key, shard, modifiedAt } of this.#catalog.sessionsByAge(
      matches === null ? null : [...matches.keys()],
    )) {
      const score = -(parseTimestamp(modifiedAt) ?? 0);
      // By time and key, since the session at which the page ended may have grown, and is then the newest of all.
      const isAtStart = score === start?.score && startRow !== null;
      if (start !== null && (score < start.score || (isAtStart && key > startRow.key))) continue;
      const found = matches?.get(key) ?? this.#newestInSession(key, shard, filter, perSession);
      found.sort((a, b) => b.ordinal - a.ordinal || a.place - b.place);
      for (const { place, ordinal } of found.slice(0, perSession)) {
        const isShown =
          key === startRow?.key &&
          (ordinal > startRow.ordinal || (ordinal === startRow.ordinal && place <= (start?.place ?? 0)));
        if (isShown) continue;
        yield { place, score };
      }
    }
  }

  /** All matches by content key: for words that are rare. */
  #matchesBySession(filter: Filter): Map<number, Match[]> {
    const matches = new Map<number, Match[]>();
    for (const table of this.#tablesOf(filter)) {
      const sql = `SELECT rowid FROM ${conditionFor(table, filter)}`;
      let block: Block | null = null;
      for (const row of table.database.prepare<unknown[], number>(sql).pluck().all(filter.values)) {
        if (block === null || row >= block.first + block.rows.length) block = table.blocks.at(table.voice, row);
        const entry = block?.rows[row - block.first];
        if (block === null || entry === undefined) continue;
        const match = { place: table.start + row, ordinal: entry.ordinal };
        const others = matches.get(block.key);
        if (others === undefined) matches.set(block.key, [match]);
        else others.push(match);
      }
    }
    return matches;
  }

  /** At least the newest `limit` matches in one session: for words that are in most of them. */
  #newestInSession(key: number, shard: number, filter: Filter, limit: number): Match[] {
    const tables = this.#tablesOf(filter).filter((table) => table.shard === shard);
    const blocks = tables[0]?.blocks.ofKey(key).reverse() ?? [];
    return tables.flatMap((table) => {
      // Upwards: FTS5 finds the beginning of a range at once, but reads backwards from the end of all matches.
      const sql = `SELECT rowid FROM ${conditionFor(table, filter)} AND rowid BETWEEN @first AND @last`;
      const rows = table.database.prepare<unknown[], number>(sql).pluck();
      const found: Match[] = [];
      for (const block of blocks) {
        if (block.voice !== table.voice) continue;
        if (found.length >= limit) break;
        const last = block.first + block.rows.length - 1;
        for (const row of rows.all({ ...filter.values, first: block.first, last })) {
          const entry = block.rows[row - block.first];
          if (entry !== undefined) found.push({ place: table.start + row, ordinal: entry.ordinal });
        }
      }
      return found;
    });
  }

  #count(filter: Filter): { total: number; isExact: boolean } {
    let total = 0;
    for (const table of this.#tablesOf(filter)) {
      const sql = `SELECT count(*) FROM (SELECT 1 FROM ${conditionFor(table, filter)} LIMIT ${MOST_COUNTED + 1})`;
      total += table.database.prepare<unknown[], number>(sql).pluck().get(filter.values) ?? 0;
      if (total > MOST_COUNTED) return { total: MOST_COUNTED, isExact: false };
    }
    return { total, isExact: true };
  }

  #tablesOf(filter: Filter): TextTable[] {
    return this.#tables.filter((table) => filter.voices.includes(table.voice));
  }

  /** What a row stands for; `null` where it was removed. */
  #resolve(place: number): ResolvedRow | null {
    const table = this.#tables[Math.floor(place / ROWS_OF_TABLE)];
    if (table === undefined) return null;
    const row = place - table.start;
    const block = table.blocks.at(table.voice, row);
    const entry = block?.rows[row - block.first];
    return block === null || entry === undefined ? null : { key: block.key, ...entry };
  }

  /** Reads a hit from its file; `null` where the file has changed since, or the time is not asked for. */
  #hit({ key, ordinal, code }: ResolvedRow, score: number, terms: QueryTerm[], task: SearchTask): SearchHit | null {
    const part = partOfCode(code);
    const session = this.#session(key);
    const entry = this.#catalog.entryAt(key, ordinal);
    if (session === null || entry === null || !isWithin(entry.timestamp, task)) return null;
    const { offset, length } = entry;
    const line = readLine(session.path, offset, length);
    // Another entry at this place: the file was rewritten since it was indexed.
    if (line === null || (typeof line.id === "string" && line.id !== entry.id)) return null;
    const found = formatNamed(session.format)
      .parts(line)
      .find((candidate) => candidate.kind === part.kind && candidate.role === part.role);
    if (found === undefined) return null;
    const snippets = found.pieces.map((piece) => ({
      toolName: piece.toolName,
      ...makeSnippet(piece.text, terms, { length: SNIPPET_LENGTH }),
    }));
    const best = snippets.reduce((a, b) => (b.highlights.length > a.highlights.length ? b : a));
    return {
      session_path: session.path,
      session_id: session.id,
      session_title: session.title,
      cwd: session.cwd,
      entry_id: entry.id,
      role: part.role,
      kind: part.kind,
      tool_name: best.toolName,
      timestamp: formatTimestamp(entry.timestamp),
      snippet: best.snippet,
      highlights: best.highlights,
      score: -score,
    };
  }

  #session(key: number): SessionOfHit | null {
    const row = this.#sessionOfKey?.get(key);
    if (row === undefined) return null;
    // Written by `Catalog.putSession` of the same index version.
    return decodeStored(() => JSON.parse(row.record) as SessionOfHit);
  }
}

interface ResolvedRow extends BlockRow {
  key: number;
}

interface Filter {
  voices: readonly Voice[];
  /** SQL for the keys of the sessions that are left, "" for all. */
  keys: string;
  values: Record<string, unknown>;
}

/** Table and condition of a query over one voice. */
function conditionFor(table: TextTable, filter: Filter): string {
  const name = textTable(table.voice);
  const ofSessions = filter.keys === "" ? "" : ` AND ${keyOfRow(table.voice, `${name}.rowid`)} IN (${filter.keys})`;
  return `${name} WHERE ${name} MATCH @match${ofSessions}`;
}

function filterOf(task: SearchTask, query: Query, split: SplitIdentifier): Filter {
  const voices = VOICES.filter((voice) => [task.role, query.role].every((role) => isVoiceOf(voice, role)));
  const values: Record<string, unknown> = { match: toFts5(query, split) };
  const sessions: string[] = [];
  const restrict = (name: string, value: unknown, condition: string) => {
    if (value === undefined || value === null) return;
    sessions.push(condition);
    values[name] = value;
  };
  restrict("project", task.project, "project = @project");
  restrict("format", task.format, "format = @format");
  restrict("since", task.since === undefined ? undefined : utc(task.since), "modified_at >= @since");
  restrict("until", task.until === undefined ? undefined : utc(task.until), "created_at < @until");
  restrict(
    "paths",
    task.paths === null ? null : JSON.stringify(task.paths),
    "path IN (SELECT value FROM json_each(@paths))",
  );
  const keys = sessions.length === 0 ? "" : `SELECT key FROM catalog.files WHERE ${sessions.join(" AND ")}`;
  return { voices, keys, values };
}

function isVoiceOf(voice: Voice, role: SearchRole | null): boolean {
  return role === null || role === "all" || role === voice;
}

function isWithin(timestamp: number, task: SearchTask): boolean {
  const since = task.since === undefined ? null : parseTimestamp(task.since);
  const until = task.until === undefined ? null : parseTimestamp(task.until);
  return (since === null || timestamp >= since) && (until === null || timestamp < until);
}

function readLine(path: string, offset: number, length: number) {
  try {
    return withSessionFile(path, (file) => file.line(offset, length, offset + length));
  } catch {
    // Gone or closed to us since it was indexed: no hit, and no failure of the search.
    return null;
  }
}

function startOf(task: SearchTask): Position | null {
  return task.cursor === undefined ? null : decodeCursor(task.cursor, isPosition);
}

function isPosition(value: unknown): value is Position {
  if (typeof value !== "object" || value === null) return false;
  const { score, place, shown } = value as Partial<Record<keyof Position, unknown>>;
  const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2 && pair.every(Number.isSafeInteger);
  return typeof score === "number" && Number.isSafeInteger(place) && Array.isArray(shown) && shown.every(isPair);
}
