import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";
import type { ConfigDifference } from "@sm/router";

/**
 * Lists the differences between two values as JSON pointers (RFC 6901): removed values by their position in `from`, all
 * others by their position in `to`. Array elements that all have a unique `id` are matched by it, others by position. A
 * changed order of elements with IDs is reported only if the array has no other difference.
 */
export function differencesBetween(from: JsonValue, to: JsonValue): ConfigDifference[] {
  return between(from, to, { before: "", after: "" });
}

/** JSON pointers to the compared values. */
interface Place {
  before: string;
  after: string;
}

/** Corresponding parts of both values; `key` is the position in each. */
type Fields = Map<unknown, { key: string; value: JsonValue }>;

function between(from: JsonValue, to: JsonValue, place: Place): ConfigDifference[] {
  if (isDeepStrictEqual(from, to)) return [];
  const fields = fieldsOfBoth(from, to);
  const inner = fields === null ? [] : betweenFields(...fields, place);
  return inner.length > 0 ? inner : [{ path: place.after, kind: "changed", from, to }];
}

function betweenFields(before: Fields, after: Fields, place: Place): ConfigDifference[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): ConfigDifference[] => {
    const [old, young] = [before.get(name), after.get(name)];
    if (old !== undefined && young !== undefined) {
      const inner = { before: below(place.before, old.key), after: below(place.after, young.key) };
      return between(old.value, young.value, inner);
    }
    const removed = old && { path: below(place.before, old.key), kind: "removed" as const, from: old.value, to: null };
    const added = young && { path: below(place.after, young.key), kind: "added" as const, from: null, to: young.value };
    return [removed, added].filter((difference) => difference !== undefined);
  });
}

/** `null` if there are no parts to compare. */
function fieldsOfBoth(from: JsonValue, to: JsonValue): [Fields, Fields] | null {
  if (isJsonObject(from) && isJsonObject(to)) return [fieldsOf(from), fieldsOf(to)];
  if (!Array.isArray(from) || !Array.isArray(to)) return null;
  const [before, after] = [fieldsById(from), fieldsById(to)];
  return before !== null && after !== null ? [before, after] : [fieldsOf(from), fieldsOf(to)];
}

function fieldsOf(value: JsonObject | JsonValue[]): Fields {
  return new Map(Object.entries(value).map(([key, field]) => [key, { key, value: field ?? null }]));
}

/** `null` if an element has no `id` or a duplicate one. */
function fieldsById(elements: readonly JsonValue[]): Fields | null {
  const fields: Fields = new Map();
  for (const [index, value] of elements.entries()) {
    const id = isJsonObject(value) ? value.id : undefined;
    if (typeof id !== "string" && typeof id !== "number") return null;
    fields.set(id, { key: String(index), value });
  }
  return fields.size === elements.length ? fields : null;
}

function below(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
