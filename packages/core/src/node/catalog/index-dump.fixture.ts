import { openSegments, type Segment } from "@sm/text-index";
import { partOfCode } from "../search/part-codes.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { chunkIds } from "./catalog-rows.ts";
import { openCatalog, openShard, prepareIndex } from "./index-databases.ts";

/** Everything that an index says, in an order and form that do not depend on how it came about. */
export interface IndexDump {
  /** Rows of the catalog, by path: without the numbers that differ from one index to the next. */
  files: Record<string, unknown>[];
  /** Every living document with its terms: `position:term`, fields without a position. */
  documents: { path: string; ordinal: number; part: number; code: number; timestamp: number; terms: string[] }[];
  /** Identifiers and their parts. */
  identifiers: Set<string>;
  /** Documents that are left of contents that are gone. */
  dead: number;
}

/** Reads the index that answers in a data directory; nobody else has it open. */
export function dumpIndex(dataDir: string): IndexDump {
  const { place } = prepareIndex(dataDir, 1);
  const catalog = openCatalog(place, true);
  try {
    const paths = new Map<unknown, string>();
    const files = rows(catalog, "SELECT * FROM files ORDER BY path").map(({ key, shard, checksum, parent, ...row }) => {
      if (row.status === "session") paths.set(key, String(row.path));
      const [stored] = rows(catalog, "SELECT summary FROM summaries WHERE key = ?", key);
      const { first, last } = chunkIds(Number(key));
      const outline = rows(
        catalog,
        "SELECT id - ? AS place, hex(entries) AS entries FROM outlines WHERE id BETWEEN ? AND ? ORDER BY id",
        first,
        first,
        last,
      );
      const activity = rows(
        catalog,
        "SELECT id - ? AS place, entries, hex(rollup) AS rollup, hex(details) AS details FROM activity WHERE id BETWEEN ? AND ? ORDER BY id",
        first,
        first,
        last,
      );
      const said = rows(catalog, "SELECT * FROM answers WHERE key = ? ORDER BY ordinal", Number(key));
      const corrected = rows(catalog, "SELECT * FROM corrections WHERE key = ? ORDER BY ordinal", Number(key));
      return {
        ...row,
        parent: parent === null ? null : rows(catalog, "SELECT path FROM files WHERE key = ?", Number(parent))[0]?.path,
        summary: stored?.summary,
        outline,
        activity,
        answers: said.map(withoutKey),
        corrections: corrected.map(withoutKey),
        shard: typeof shard,
        checksum: typeof checksum,
      };
    });
    return { files, ...dumpTexts(place, paths) };
  } finally {
    catalog.close();
  }
}

function dumpTexts(place: IndexPlace, paths: Map<unknown, string>): Omit<IndexDump, "files"> {
  const dump: Omit<IndexDump, "files"> = { documents: [], identifiers: new Set(), dead: 0 };
  for (let shard = 0; shard < place.shards; shard++) {
    const database = openShard(place, shard, true);
    try {
      for (const segment of openSegments(database).refresh()) dumpSegment(segment, database, paths, dump);
    } finally {
      database.close();
    }
  }
  dump.documents.sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.ordinal - b.ordinal || a.part - b.part,
  );
  return dump;
}

function dumpSegment(
  segment: Segment,
  database: SqliteDatabase,
  paths: Map<unknown, string>,
  dump: Omit<IndexDump, "files">,
): void {
  const { keys, ordinals, parts, codes, timestamps, count } = segment.documents;
  const terms: string[][] = Array.from({ length: count }, () => []);
  for (const postings of segment.range("", "\uffff")) {
    if (postings.term.startsWith("id:")) dump.identifiers.add(postings.term);
    const cursor = postings.positions();
    for (const document of postings.list().documents) {
      const positions = [...cursor.in(document)];
      terms[document]?.push(
        ...(positions.length === 0 ? [postings.term] : positions.map((at) => `${at}:${postings.term}`)),
      );
    }
  }
  for (let document = 0; document < count; document++) {
    const path = paths.get(keys[document]);
    const ordinal = ordinals[document] ?? -1;
    const code = codes[document] ?? -1;
    const { kind } = partOfCode(code);
    const isSuperseded =
      (kind === "name" || kind === "label") &&
      rows(database, "SELECT 1 FROM superseded WHERE key = ? AND ordinal = ?", keys[document], ordinal).length > 0;
    if (path === undefined || isSuperseded) dump.dead++;
    else {
      const part = parts[document] ?? -1;
      const timestamp = timestamps[document] ?? 0;
      dump.documents.push({ path, ordinal, part, code, timestamp, terms: terms[document]?.sort() ?? [] });
    }
  }
}

function withoutKey({ key: _key, checksum: _checksum, ...row }: Record<string, unknown>): Record<string, unknown> {
  return row;
}

function rows(database: SqliteDatabase, sql: string, ...values: unknown[]): Record<string, unknown>[] {
  // A statement's rows are objects by column.
  return database.prepare(sql).all(...values) as Record<string, unknown>[];
}
