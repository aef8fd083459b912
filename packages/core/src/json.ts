/** A value that `JSON.parse` may return. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What people write by hand is ten deep; whoever walks deeper values by calling itself may run out of stack. */
const MAX_LEVELS = 100;

/** Whether a value is nested deeper than anybody could want. */
export function isTooDeep(value: JsonValue): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}
