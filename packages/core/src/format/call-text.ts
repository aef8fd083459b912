import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { DEEPEST_ARGUMENT } from "./argument-paths.ts";

/** Text of a call: its name, then one line per argument. */
export function callText(name: string, callArguments: JsonValue | undefined): string {
  const lines = [name];
  if (isJsonObject(callArguments)) addArguments(lines, callArguments, 0);
  return lines.join("\n");
}

/**
 * Nested strings are written unescaped too: in JSON, the `n` of `\n` would be joined to the first word of each line.
 */
function addArguments(lines: string[], value: JsonObject | JsonValue[], depth: number): void {
  if (depth === DEEPEST_ARGUMENT) return;
  for (const [key, inner] of Object.entries(value)) {
    const name = Array.isArray(value) ? "" : `${key}: `;
    if (typeof inner !== "object" || inner === null) lines.push(`${name}${inner}`);
    else addArguments(lines, inner, depth + 1);
  }
}
