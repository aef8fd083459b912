import type { FindOptions, FindPage, FoundEntry } from "../../library.ts";
import { countInPieces, countMatches, findPattern, MAX_MATCHES } from "../../search/find-pattern.ts";
import { lastOf } from "../../session/page-range.ts";
import { leafOf } from "../../session/transcript-layout.ts";
import { branchTo } from "../../session/tree.ts";
import { decodeCursor, encodeCursor } from "../catalog/page-cursor.ts";
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
  const entries = entriesWith(session, branch, page, options, current).reverse().slice(0, options.limit);
  // Matches beyond the page's limit are searched again for the next page.
  const end = entries.length < options.limit ? page.from : (entries.at(-1)?.place ?? page.from);
  const leafId = leaf < 0 ? null : outline.id(leaf);
  return {
    entries,
    leaf_id: leafId,
    total: branch.length,
    scanned: branch.length - end,
    next_cursor: end === 0 || leafId === null ? null : encodeCursor({ leaf: leafId, end } satisfies FindPosition),
  };
}

/** Reads from root to leaf, in file order. */
function entriesWith(
  session: OpenSession,
  branch: Int32Array,
  { from, to }: { from: number; to: number },
  { path, query, role }: FindOptions,
  current: CurrentTask,
): FoundEntry[] {
  const pattern = findPattern(query);
  if (pattern === null) return [];
  const { outline } = session.fold;
  const ordinals = branch.subarray(from, to);
  const until = ordinals.reduce((farthest, ordinal) => Math.max(farthest, endOf(outline, ordinal)), 0);
  const found: FoundEntry[] = [];
  withSessionFile(path, (file) => {
    for (const [at, ordinal] of ordinals.entries()) {
      current.check();
      let count = 0;
      const { offset, length, role: entryRole } = outline.at(ordinal);
      const long = file.longLine(offset, length);
      const inPieces = long === null ? null : partsInPieces(session.format, long, entryRole);
      for (const part of inPieces ?? session.format.parts(lineOf(session, file, ordinal, until), entryRole)) {
        if (count === MAX_MATCHES || (role !== "all" && part.role !== role)) continue;
        const most = MAX_MATCHES - count;
        const isNamed = long !== null && inPieces !== null;
        count += isNamed
          ? countInPieces(long.smallPieces(part.text), pattern, most)
          : countMatches(part.text, pattern, most);
      }
      if (count > 0) found.push({ entry_id: outline.id(ordinal), place: from + at, count });
    }
  });
  return found;
}

function isPosition(value: unknown): value is FindPosition {
  if (typeof value !== "object" || value === null || !("leaf" in value) || !("end" in value)) return false;
  return typeof value.leaf === "string" && Number.isSafeInteger(value.end) && Number(value.end) > 0;
}
