import { AppError } from "../../errors.ts";
import type { BranchPage, EntriesOptions, TruncatedEntry } from "../../library.ts";
import type { Outline } from "../../session/outline.ts";
import { firstOf, lastOf } from "../../session/page-range.ts";
import { leafOf } from "../../session/transcript-layout.ts";
import { branchEnds, branchTo } from "../../session/tree.ts";
import { endOf, type OpenSession } from "./open-session.ts";

const MEBIBYTE = 1024 * 1024;
/** Maximum lines of a page in memory; a page ends early if they are larger. */
export const MAX_PAGE_BYTES = 8 * MEBIBYTE;
/** Maximum of each list in a page, and of the header, which all pages of a session contain. */
export const MAX_PART_BYTES = MEBIBYTE;

/** The entries of a page of a branch, and what the page says besides them. */
export interface PagePlan {
  ordinals: readonly number[];
  /** Where the last line of the page ends in the file. */
  end: number;
  /** The JSON text of the page; `parts` is that of its entries. */
  json(parts: Readonly<Record<string, string>>, truncated: readonly TruncatedEntry[]): Uint8Array;
}

/**
 * Plans a page of a branch, root to leaf.
 *
 * @param sizesOn gives the bytes of an entry in the page; it gets the branch from the first entry that can be on the page.
 */
export function planPage(
  { fold, parents }: OpenSession,
  options: EntriesOptions,
  sizesOn: (ordinals: Int32Array, leaf: number) => (ordinal: number) => number = () => (ordinal) =>
    fold.outline.at(ordinal).length,
): PagePlan {
  const { outline } = fold;
  const leaf = leafOf(outline, options.leaf_id);
  const branch = branchTo(parents, leaf);
  const range = rangeOf(outline, branch, options);
  // With `after` the page goes forward; otherwise it has the newest entries.
  const isForward = options.after !== undefined;
  const first = isForward ? range.from : Math.max(range.from, range.to - options.limit);
  const sizeOfOrdinal = sizesOn(branch.subarray(first), leaf);
  const sizeOf = (place: number) => sizeOfOrdinal(branch[place] ?? 0);
  const most = { count: options.limit, size: MAX_PAGE_BYTES };
  const { from, to } = isForward ? firstOf(range, most, sizeOf) : lastOf(range, most, sizeOf);
  const ordinals = [...branch.subarray(from, to)];
  return {
    ordinals,
    end: ordinals.reduce((farthest, ordinal) => Math.max(farthest, endOf(outline, ordinal)), 0),
    json(parts, truncated) {
      const leaves = branchEnds(parents, (ordinal) => outline.isConversation(ordinal)).map((ordinal) =>
        outline.id(ordinal),
      );
      const rest: BranchPage = {
        leaf_id: leaf < 0 ? null : outline.id(leaf),
        leaves: newestOf(leaves),
        labels: Object.fromEntries(newestOf(Object.entries(fold.state.labels))),
        total: branch.length,
        has_more_before: from > 0,
        has_more_after: to < branch.length,
        truncated_entries: [...truncated],
      };
      const texts = Object.entries(parts).map(([name, json]) => `"${name}":${json},`);
      return new TextEncoder().encode(`{${texts.join("")}${JSON.stringify(rest).slice(1)}`);
    },
  };
}

/** The places of a branch that a page may have. */
function rangeOf(outline: Outline, branch: Int32Array, { after, before }: EntriesOptions) {
  const placeOf = (id: string, field: string) => {
    const place = branch.indexOf(outline.ordinalOf(id));
    if (place < 0) throw notInBranch(id, field);
    return place;
  };
  return {
    from: after === undefined ? 0 : placeOf(after, "after") + 1,
    to: before === undefined ? branch.length : placeOf(before, "before"),
  };
}

function notInBranch(id: string, field: string): AppError {
  return new AppError("INVALID_PAYLOAD", `The entry ${id} is not on this branch.`, {
    details: [{ path: field, message: "Not an entry of this branch." }],
  });
}

/** The end of a list that fits into a page. */
function newestOf<Item>(items: Item[]): Item[] {
  let bytes = 0;
  const last = items.findLastIndex((item) => {
    bytes += JSON.stringify(item).length + 1;
    return bytes > MAX_PART_BYTES;
  });
  return items.slice(last + 1);
}
