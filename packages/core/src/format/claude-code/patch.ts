import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { amount, blocksOf, text } from "../json-fields.ts";

/** The unified diff of an edit, from the `structuredPatch` that its tool has recorded; `null` without changes. */
export function diffOf(recorded: JsonValue | undefined): string | null {
  const hunks = hunksOf(recorded);
  return hunks.length === 0 ? null : hunks.map((hunk) => [headOf(hunk), ...linesOf(hunk)].join("\n")).join("\n");
}

/** The lines of the diff, as they are searched. */
export function patchText(recorded: JsonValue | undefined): string {
  return hunksOf(recorded).flatMap(linesOf).join("\n");
}

function hunksOf(recorded: JsonValue | undefined): JsonObject[] {
  const hunks = isJsonObject(recorded) ? blocksOf(recorded.structuredPatch) : [];
  return hunks.filter((hunk) => linesOf(hunk).length > 0);
}

function linesOf({ lines }: JsonObject): string[] {
  return Array.isArray(lines) ? lines.map(text) : [];
}

function headOf({ oldStart, oldLines, newStart, newLines }: JsonObject): string {
  return `@@ -${amount(oldStart)},${amount(oldLines)} +${amount(newStart)},${amount(newLines)} @@`;
}
