import { AppError } from "../../errors.ts";
import type { EntriesOptions, EntriesPage, TruncatedEntry } from "../../library.ts";
import type { Outline } from "../../session/outline.ts";
import { firstOf, lastOf } from "../../session/page-range.ts";
import { leafOf } from "../../session/transcript-layout.ts";
import { branchEnds, branchTo } from "../../session/tree.ts";
import { changedMeanwhile } from "../files/file-errors.ts";
import { type SessionFile, withSessionFile } from "../session-file/session-file.ts";
import { cutEntry, endOf, isCut, type OpenSession } from "./open-session.ts";

const MEBIBYTE = 1024 * 1024;
/** Maximum lines of a page in memory; a page ends early if they are larger. */
export const MAX_PAGE_BYTES = 8 * MEBIBYTE;
/** Maximum of each list in a page, and of the header, which all pages of a session contain. */
const MAX_PART_BYTES = MEBIBYTE;

/** JSON text of a line in a page. */
interface PageLine {
  json: string;
  isCut: boolean;
}

/**
 * Reads a page of a branch.
 *
 * @returns JSON text of an `EntriesPage` in UTF-8; lines are copied where possible.
 */
export function entriesPage(session: OpenSession, options: EntriesOptions): Uint8Array {
  const { fold, parents } = session;
  const { outline } = fold;
  const leaf = leafOf(outline, options.leaf_id);
  const branch = branchTo(parents, leaf);
  const { from, to } = pageOf(outline, branch, options);
  const page = [...branch.subarray(from, to)];
  const end = page.reduce((farthest, ordinal) => Math.max(farthest, endOf(outline, ordinal)), 0);
  const truncated: TruncatedEntry[] = [];
  const told = (entry_id: string | null, { offset, length }: Place, { json, isCut }: PageLine): string => {
    if (isCut) truncated.push({ entry_id, offset, size_bytes: length });
    return json;
  };
  const lines = withSessionFile(options.path, (file) => {
    const place = fold.state.header_line;
    const header = place === null ? "null" : told(null, place, headerLine(file, place));
    const entries = page.map((ordinal) => {
      return told(outline.id(ordinal), outline.at(ordinal), entryLine(session, file, ordinal, end));
    });
    return `{"header":${header},"entries":[${entries.join(",")}],`;
  });
  const leaves = branchEnds(parents, (ordinal) => outline.isConversation(ordinal)).map((ordinal) =>
    outline.id(ordinal),
  );
  const rest: Omit<EntriesPage, "header" | "entries"> = {
    leaf_id: leaf < 0 ? null : outline.id(leaf),
    leaves: newestOf(leaves),
    labels: Object.fromEntries(newestOf(Object.entries(fold.state.labels))),
    total: branch.length,
    has_more_before: from > 0,
    has_more_after: to < branch.length,
    truncated_entries: truncated,
  };
  return new TextEncoder().encode(lines + JSON.stringify(rest).slice(1));
}

interface Place {
  offset: number;
  length: number;
}

/** Range of a page on its branch, and of the remaining entries. */
function pageOf(outline: Outline, branch: Int32Array, { after, before, limit }: EntriesOptions) {
  const placeOf = (id: string, field: string) => {
    const place = branch.indexOf(outline.ordinalOf(id));
    if (place < 0) throw notInBranch(id, field);
    return place;
  };
  const from = after === undefined ? 0 : placeOf(after, "after") + 1;
  const to = before === undefined ? branch.length : placeOf(before, "before");
  const sizeOf = (place: number) => outline.at(branch[place] ?? 0).length;
  // With `after` the page goes forward; otherwise it has the newest entries.
  const most = { count: limit, size: MAX_PAGE_BYTES };
  return after === undefined ? lastOf({ from, to }, most, sizeOf) : firstOf({ from, to }, most, sizeOf);
}

function notInBranch(id: string, field: string): AppError {
  return new AppError("INVALID_PAYLOAD", `The entry ${id} is not on this branch.`, {
    details: [{ path: field, message: "Not an entry of this branch." }],
  });
}

function headerLine(file: SessionFile, { offset, length }: Place): PageLine {
  if (length > MAX_PART_BYTES)
    return { json: JSON.stringify(file.cutLine(offset, length, { stringBytes: 0 })), isCut: true };
  return { json: file.storedLine(offset, length, offset + length)?.text ?? "null", isCut: false };
}

/** An entry as stored; for formats without IDs and parents, with those of the tree. */
function entryLine(session: OpenSession, file: SessionFile, ordinal: number, until: number): PageLine {
  const { outline } = session.fold;
  const entry = outline.at(ordinal);
  const parent = session.parents[ordinal] ?? -1;
  const names = { id: outline.id(ordinal), parentId: parent < 0 ? null : outline.id(parent) };
  if (isCut(entry)) {
    const left = cutEntry(file, entry);
    return { json: withNames(left, names) ?? JSON.stringify(left), isCut: true };
  }
  const line = file.storedLine(entry.offset, entry.length, until);
  if (line === null) throw changedMeanwhile(session.source.path);
  return { json: withNames(line.value, names) ?? line.text, isCut: false };
}

/** `null` if an entry has its own. */
function withNames(entry: Record<string, unknown>, names: { id: string; parentId: string | null }): string | null {
  return typeof entry.id === "string" && "parentId" in entry ? null : JSON.stringify({ ...entry, ...names });
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
