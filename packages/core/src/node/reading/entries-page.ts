import type { EntriesOptions, TruncatedEntry } from "../../library.ts";
import { changedMeanwhile } from "../files/file-errors.ts";
import { type SessionFile, withSessionFile } from "../session-file/session-file.ts";
import { MAX_PART_BYTES, planPage } from "./branch-page.ts";
import { cutEntry, isCut, type OpenSession } from "./open-session.ts";

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
  const { fold } = session;
  const { outline } = fold;
  const page = planPage(session, options);
  const truncated: TruncatedEntry[] = [];
  const told = (entry_id: string | null, { offset, length }: Place, { json, isCut }: PageLine): string => {
    if (isCut) truncated.push({ entry_id, offset, size_bytes: length });
    return json;
  };
  const parts = withSessionFile(options.path, (file) => {
    const place = fold.state.header_line;
    const header = place === null ? "null" : told(null, place, headerLine(file, place));
    const entries = page.ordinals.map((ordinal) => {
      return told(outline.id(ordinal), outline.at(ordinal), entryLine(session, file, ordinal, page.end));
    });
    return { header, entries: `[${entries.join(",")}]` };
  });
  return page.json(parts, truncated);
}

interface Place {
  offset: number;
  length: number;
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
