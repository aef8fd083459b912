import type { SegmentBuilder } from "@sm/text-index";
import type { SessionFormat } from "../../format/format.ts";
import type { Outline, OutlineEntry } from "../../session/outline.ts";
import { addParsed, addScanned } from "../search/entry-text.ts";
import { addLongLine } from "../search/long-entry.ts";
import { LONG_LINE_BYTES } from "../session-file/long-line.ts";
import type { SessionFile } from "../session-file/session-file.ts";

/** Terms that one segment has, about: more makes fewer segments to merge, less makes text searchable sooner. */
export const BATCH_TERMS = 4_000_000;

/** The session whose text is added. */
interface TextOrigin {
  path: string;
  key: number;
  /** Number of the first entry that is added. */
  firstEntry: number;
  /** See `EntryOrigin`. */
  outputs: Set<string>;
}

export interface EntriesToAdd {
  entries: Iterable<Pick<OutlineEntry, "offset" | "length" | "timestamp" | "role">>;
  /** End of what is known of the file. */
  until: number;
}

export interface AddedEntries {
  /** How many were added: all, unless the segment was full before, or the file became unreadable. */
  entries: number;
  /** Where the last of them ends in the file; `null` for none. */
  end: number | null;
  /** Names and labels among them. */
  renamings: number;
}

/**
 * Adds the texts of a session's entries to a segment, as far as it has room.
 *
 * @param added counts what is added, also where this throws.
 * @throws errors of the file system.
 */
export function addEntries(
  builder: SegmentBuilder,
  file: SessionFile,
  format: SessionFormat,
  { firstEntry, ...origin }: TextOrigin,
  { entries, until }: EntriesToAdd,
  added: AddedEntries,
): void {
  for (const { offset, length, timestamp, role } of entries) {
    // A long line may be a batch of its own, and is none on top of another.
    if (builder.termCount >= (length < LONG_LINE_BYTES ? BATCH_TERMS : 1)) break;
    const ofEntry = { ...origin, ordinal: firstEntry + added.entries, timestamp, role };
    if (role === "name" || role === "label") added.renamings++;
    const long = file.longLine(offset, length);
    const scanned = long === null ? file.scannedLine(offset, length, until) : null;
    const isAdded =
      (long !== null && addLongLine(builder, format, long, ofEntry)) ||
      (scanned !== null && addScanned(builder, format, scanned, ofEntry));
    if (!isAdded) {
      const line = file.line(offset, length, until);
      // `null`: the file was changed under us; the next walk sees that and drops this content.
      if (line !== null) addParsed(builder, format, line, ofEntry);
    }
    added.entries++;
    added.end = offset + length + 1;
  }
}

/** For `addEntries`. */
export function nothingAdded(): AddedEntries {
  return { entries: 0, end: null, renamings: 0 };
}

/** Numbers of the names and labels that later ones have replaced: only the present ones are found. */
export function supersededEntries(file: SessionFile, format: SessionFormat, outline: Outline): number[] {
  const present = new Map<string, number>();
  const superseded: number[] = [];
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    const role = outline.role(ordinal);
    if (role !== "name" && role !== "label") continue;
    let named = "name";
    if (role === "label") {
      const { offset, length } = outline.at(ordinal);
      const line = file.line(offset, length, offset + length);
      if (line === null) continue;
      named = `label ${format.facts(line).label?.targetId}`;
    }
    const former = present.get(named);
    if (former !== undefined) superseded.push(former);
    present.set(named, ordinal);
  }
  return superseded;
}
