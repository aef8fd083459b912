import { isJsonObject, type JsonValue } from "../../json.ts";
import type { RateLimit } from "../../session/record.ts";
import { formatTimestamp } from "../../session/timestamp.ts";

/** What is told of the account's limits beside a count of tokens: `undefined` if nothing, `null` if there are none. */
export function rateLimitsOf(value: JsonValue | undefined): RateLimit[] | null | undefined {
  if (!isJsonObject(value)) return undefined;
  const limits = [value.primary, value.secondary].flatMap((limit) => rateLimitOf(limit) ?? []);
  return limits.length === 0 ? null : limits;
}

function rateLimitOf(limit: JsonValue | undefined): RateLimit | null {
  if (!isJsonObject(limit)) return null;
  const used_percent = numberOrNull(limit.used_percent);
  if (used_percent === null) return null;
  const seconds = numberOrNull(limit.resets_at);
  const resets_at = formatTimestamp(seconds === null ? null : seconds * 1000);
  return { used_percent, window_minutes: numberOrNull(limit.window_minutes), resets_at };
}

/** No negative one either, which no limit has. */
function numberOrNull(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}
