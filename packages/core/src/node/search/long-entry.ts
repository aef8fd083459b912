import type { SegmentBuilder } from "@sm/text-index";
import type { SearchPart, SessionFormat } from "../../format/format.ts";
import type { OutlineRole } from "../../session/roles.ts";
import type { LongLine } from "../session-file/long-line.ts";
import { addTextOf, beginPart, type EntryOrigin } from "./entry-text.ts";

/**
 * Adds the parts of an entry whose long texts are read in pieces.
 *
 * @returns `false` if nothing was added, because the line must be parsed completely.
 */
export function addLongLine(
  builder: SegmentBuilder,
  format: SessionFormat,
  long: LongLine,
  origin: EntryOrigin,
): boolean {
  const parts = partsInPieces(format, long, origin.role);
  if (parts === null) return false;
  for (const [place, part] of parts.entries()) {
    beginPart(builder, part, place, origin);
    if (part.outputFile === undefined) builder.addPieces(long.pieces(part.text));
    else addTextOf(builder, part, format, origin);
  }
  return true;
}

/**
 * Lists the parts of an entry, with placeholders for long texts.
 *
 * @param role of the entry in the outline.
 * @returns `null` if the line must be parsed completely.
 */
export function partsInPieces(format: SessionFormat, long: LongLine, role: OutlineRole): SearchPart[] | null {
  const line = long.named();
  if (line === null) return null;
  const parts = format.parts(line, role);
  const isInField = parts.some(({ toolName, model, files }) =>
    [toolName, model, ...files].some((value) => long.isNamedIn(value)),
  );
  return isInField ? null : parts;
}
