import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { StoredOutput } from "../../session/transcript.ts";
import { joinText, text } from "../json-fields.ts";

/** A file of the folder for outputs. Its name alone counts: what a transcript says of other places is not followed. */
const STORED = /[\\/]tool-results[\\/](\w[\w-]{0,127}(?:\.\w{1,16})?)$/;
/** Before the beginning of such an output. */
const NOTE = "<persisted-output>";
const SAVED_TO = /saved to: ([^\n]{1,4096})/;
const NOTE_LENGTH = 8_192;

/** The file with the whole output of a result, as its record or its text tells. */
export function storedOutputOf(results: readonly JsonObject[], recorded: JsonValue | undefined): StoredOutput | null {
  const told = isJsonObject(recorded) ? recorded : {};
  const fileName = STORED.exec(text(told.persistedOutputPath) || savedTo(results))?.[1];
  if (fileName === undefined) return null;
  const { persistedOutputSize: size } = told;
  return { file_name: fileName, size_bytes: typeof size === "number" && size >= 0 ? size : null };
}

function savedTo(results: readonly JsonObject[]): string {
  for (const { content } of results) {
    const said = joinText(content).slice(0, NOTE_LENGTH);
    const place = said.startsWith(NOTE) ? SAVED_TO.exec(said)?.[1] : undefined;
    if (place !== undefined) return place.trim();
  }
  return "";
}
