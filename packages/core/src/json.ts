/** A value that `JSON.parse` may return. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a key that comes from a transcript: `constructor` is one like others. */
export function ownValue<T>(target: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(target, key) ? target[key] : undefined;
}

/** Sets a key that comes from a transcript: `__proto__` is one like others. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Limit for recursive functions; hand-written values are about ten levels deep. */
const MAX_LEVELS = 100;

/** Whether a value is nested too deeply. */
export function isTooDeep(value: JsonValue): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}
