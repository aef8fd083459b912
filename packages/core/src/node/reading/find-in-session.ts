import type { SearchPart } from "../../format/format.ts";
import type { FindOptions, FindPage, FoundEntry } from "../../library.ts";
import { countInPieces, countMatches, findPattern, MAX_MATCHES } from "../../search/find-pattern.ts";
import { lastOf } from "../../session/page-range.ts";
import { leafOf } from "../../session/transcript-layout.ts";
import { branchTo } from "../../session/tree.ts";
import { decodeCursor, encodeCursor } from "../catalog/page-cursor.ts";
import { textOf } from "../search/entry-text.ts";
import { partsInPieces } from "../search/long-entry.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { endOf, lineOf, type OpenSession } from "./open-session.ts";

/** Amount searched per page, about 100 ms: other tasks wait for the thread. */
const PAGE = { count: Number.POSITIVE_INFINITY, size: 16 * 1024 * 1024 };

/** End of a page: everything from this position on was searched. */
interface FindPosition {
  leaf: string;
  end: number;
}

/** Searches the branch from the cursor's position (the leaf, without one), for one page. */
export function findInSession(session: OpenSession, options: FindOptions, current: CurrentTask): FindPage {
  const { outline } = session.fold;
  const position = options.cursor === undefined ? null : decodeCursor(options.cursor, isPosition);
  const leaf = leafOf(outline, position?.leaf ?? options.leaf_id);
  const branch = branchTo(session.parents, leaf);
  const rest = { from: 0, to: Math.min(position?.end ?? branch.length, branch.length) };
  const page = lastOf(rest, PAGE, (place) => outline.at(branch[place] ?? 0).length);
  const { found, from } = entriesWith(session, branch, page, options, current);
  const entries = found.reverse().slice(0, options.limit);
  // Matches beyond the page's limit are searched again for the next page.
  const end = entries.length < options.limit ? from : (entries.at(-1)?.place ?? from);
  const leafId = leaf < 0 ? null : outline.id(leaf);
  return {
    entries,
    leaf_id: leafId,
    total: branch.length,
    scanned: branch.length - end,
    next_cursor: end === 0 || leafId === null ? null : encodeCursor({ leaf: leafId, end } satisfies FindPosition),
  };
}

/** What was found, from a place on: outputs in other files may be too many for a page. */
interface Found {
  found: FoundEntry[];
  from: number;
}

/** Reads from root to leaf, in file order. */
function entriesWith(
  session: OpenSession,
  branch: Int32Array,
  { from, to }: { from: number; to: number },
  { path, query, role }: FindOptions,
  current: CurrentTask,
): Found {
  const pattern = findPattern(query);
  if (pattern === null) return { found: [], from };
  const { outline } = session.fold;
  const ordinals = branch.subarray(from, to);
  const until = ordinals.reduce((farthest, ordinal) => Math.max(farthest, endOf(outline, ordinal)), 0);
  const counts = new Map<number, number>();
  const stored: StoredPart[] = [];
  withSessionFile(path, (file) => {
    for (const [at, ordinal] of ordinals.entries()) {
      current.check();
      let count = 0;
      const { offset, length, role: entryRole } = outline.at(ordinal);
      const long = file.longLine(offset, length);
      const inPieces = long === null ? null : partsInPieces(session.format, long, entryRole);
      for (const part of inPieces ?? session.format.parts(lineOf(session, file, ordinal, until), entryRole)) {
        if (count === MAX_MATCHES || (role !== "all" && part.role !== role)) continue;
        if (part.outputFile !== undefined) stored.push({ at, part });
        const most = MAX_MATCHES - count;
        const isNamed = long !== null && inPieces !== null;
        count += isNamed
          ? countInPieces(long.smallPieces(part.text), pattern, most)
          : countMatches(part.text, pattern, most);
      }
      if (count > 0) counts.set(at, count);
    }
  });
  const first = addStored(stored, counts, pattern, session, current);
  const found = [...counts].filter(([at]) => at >= first).sort(([a], [b]) => a - b);
  return {
    found: found.map(([at, count]) => ({ entry_id: outline.id(ordinals[at] ?? 0), place: from + at, count })),
    from: from + first,
  };
}

/** A part with its text in a file of its own. */
interface StoredPart {
  /** Of its entry. */
  at: number;
  part: SearchPart;
}

/**
 * Adds what outputs in files of their own have, the last ones first, until a page has read enough of them.
 *
 * @returns from which place on all was searched.
 */
function addStored(
  stored: StoredPart[],
  counts: Map<number, number>,
  pattern: RegExp,
  { format, source }: OpenSession,
  current: CurrentTask,
): number {
  let left = PAGE.size;
  for (const { at, part } of stored.reverse()) {
    if (left <= 0) return at + 1;
    current.check();
    const text = textOf(part, format, source.path);
    left -= text.length;
    const before = counts.get(at) ?? 0;
    const count = before + countMatches(text, pattern, MAX_MATCHES - before);
    if (count > 0) counts.set(at, count);
  }
  return 0;
}

function isPosition(value: unknown): value is FindPosition {
  if (typeof value !== "object" || value === null || !("leaf" in value) || !("end" in value)) return false;
  return typeof value.leaf === "string" && Number.isSafeInteger(value.end) && Number(value.end) > 0;
}
