import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonValue } from "@sm/core";
import type { ConfigDifference } from "@sm/router";

/** Tells what has changed between two values, by JSON pointers (RFC 6901), in the order of the fields. */
export function differencesBetween(from: JsonValue, to: JsonValue): ConfigDifference[] {
  return [...between(from, to, "")];
}

function* between(from: JsonValue, to: JsonValue, path: string): Generator<ConfigDifference> {
  if (isDeepStrictEqual(from, to)) return;
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  if (before === null || after === null || Array.isArray(from) !== Array.isArray(to)) {
    yield { path, kind: "changed", from, to };
    return;
  }
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const place = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const [old, young] = [before.get(key), after.get(key)];
    if (old === undefined) yield { path: place, kind: "added", from: null, to: young ?? null };
    else if (young === undefined) yield { path: place, kind: "removed", from: old, to: null };
    else yield* between(old, young, place);
  }
}

/** `null` for what has no fields. */
function fieldsOf(value: JsonValue): Map<string, JsonValue> | null {
  if (!Array.isArray(value) && !isJsonObject(value)) return null;
  const fields = Object.entries(value).map(([key, field]) => [key, field ?? null] as const);
  return new Map(fields);
}
