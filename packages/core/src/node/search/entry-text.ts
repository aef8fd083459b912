import type { SegmentBuilder } from "@sm/text-index";
import type { SearchPart, SessionFormat } from "../../format/format.ts";
import type { ScannedLine } from "../../format/scanned-line.ts";
import { decodedLines } from "../../format/scanned-values.ts";
import type { JsonObject } from "../../json.ts";
import type { OutlineRole } from "../../session/roles.ts";
import { searchedOutput } from "../session-file/stored-output.ts";
import { work } from "../session-file/work.ts";
import { partCode } from "./part-codes.ts";

/** Origin of a text. */
export interface EntryOrigin {
  /** Of the session. */
  path: string;
  key: number;
  ordinal: number;
  /** NaN if unknown. */
  timestamp: number;
  role: OutlineRole;
  /** Names of the files of outputs that were added: each once, however many lines of a hostile transcript name it. */
  outputs?: Set<string>;
}

/** Adds the parts of an entry from its scanned line. @returns `false` if the line must be parsed. */
export function addScanned(
  builder: SegmentBuilder,
  format: SessionFormat,
  line: ScannedLine,
  origin: EntryOrigin,
): boolean {
  const parts = format.scannedParts?.(line, origin.role) ?? null;
  if (parts === null) return false;
  for (const [place, part] of parts.entries()) {
    beginPart(builder, part, place, origin);
    if (!builder.addJson(line.bytes, part.pieces)) builder.addText(decodedLines(line, part.pieces));
  }
  return true;
}

/** Adds the parts of an entry. */
export function addParsed(builder: SegmentBuilder, format: SessionFormat, line: JsonObject, origin: EntryOrigin): void {
  for (const [place, part] of format.parts(line, origin.role).entries()) {
    beginPart(builder, part, place, origin);
    addTextOf(builder, part, format, origin);
  }
}

/** Adds the text of a part, which may be in a file of its own. */
export function addTextOf(
  builder: SegmentBuilder,
  part: Pick<SearchPart, "text" | "outputFile">,
  format: SessionFormat,
  { path, outputs }: EntryOrigin,
): void {
  if (part.outputFile !== undefined) {
    if (outputs?.has(part.outputFile) === true) return;
    outputs?.add(part.outputFile);
  }
  builder.addText(textOf(part, format, path));
}

/** The text of a part, which may be in a file of its own. @param path of the session. */
export function textOf(
  { text, outputFile }: Pick<SearchPart, "text" | "outputFile">,
  { agent }: SessionFormat,
  path: string,
): string {
  return outputFile === undefined ? text : searchedOutput(agent, path, outputFile);
}

/** Starts the document of a part, with its fields. */
export function beginPart(
  builder: SegmentBuilder,
  { kind, role, toolName, model, files }: Omit<SearchPart, "text">,
  part: number,
  { key, ordinal, timestamp }: EntryOrigin,
): void {
  const time = Number.isNaN(timestamp) ? null : timestamp;
  builder.begin({ key, ordinal, part, code: partCode(kind, role), timestamp: time });
  if (toolName !== null) builder.addField("tool", toolName);
  if (model !== null) builder.addField("model", model);
  for (const file of files) builder.addField("file", file);
  work.rowsWritten++;
}
