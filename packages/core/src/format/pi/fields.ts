import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { Usage } from "../../session/record.ts";
import type { MessageRole } from "../../session/roles.ts";
import { isWritable, parseTimestamp } from "../../session/timestamp.ts";
import { amount, blocksOf } from "../json-fields.ts";

// Fields of pi entries. A value of an unexpected type counts as missing.

/** Roles as the agent writes them; `hookMessage` is what format 2 called `custom`. */
const ROLES: Readonly<Record<string, MessageRole>> = {
  user: "user",
  assistant: "assistant",
  toolResult: "tool",
  bashExecution: "bash",
  custom: "custom",
  hookMessage: "custom",
  system: "system",
};

export function messageOf(entry: JsonObject): JsonObject | null {
  return entry.type === "message" && isJsonObject(entry.message) ? entry.message : null;
}

export function roleOf(message: JsonObject): MessageRole | null {
  const role = message.role;
  return typeof role === "string" && Object.hasOwn(ROLES, role) ? (ROLES[role] ?? null) : null;
}

export function timestampOf(entry: JsonObject): number | null {
  const own = parseTimestamp(entry.timestamp);
  if (own !== null) return own;
  const inner = messageOf(entry)?.timestamp;
  return typeof inner === "number" && Number.isInteger(inner) && isWritable(inner) ? inner : null;
}

/** Calls made by a tool itself, such as those of a `codemode` script. */
export function nestedCallsOf({ nestedCalls }: JsonObject): JsonObject[] {
  return isJsonObject(nestedCalls) ? blocksOf(nestedCalls.calls) : [];
}

/**
 * `null` also for answers that a conversion has taken over from another session, which has their usage: see `piLines`.
 *
 * `reasoning` is included in the agent's `output`, and `cacheWrite1h` in its `cacheWrite`.
 */
export function usageOf(value: JsonValue | undefined): Usage | null {
  if (!isJsonObject(value) || value.countedElsewhere === true) return null;
  const input = amount(value.input);
  const output = amount(value.output);
  const cacheRead = amount(value.cacheRead);
  const cacheWrite = amount(value.cacheWrite);
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    cache_write_1h_tokens: amount(value.cacheWrite1h),
    reasoning_tokens: amount(value.reasoning),
    total_tokens: input + output + cacheRead + cacheWrite,
    cost_usd: costOf(value.cost),
    estimated_cost_usd: null,
  };
}

function costOf(value: JsonValue | undefined): number | null {
  if (!isJsonObject(value)) return null;
  if (typeof value.total === "number") return value.total;
  const parts = [value.input, value.output, value.cacheRead, value.cacheWrite];
  return parts.some((part) => typeof part === "number")
    ? parts.reduce<number>((sum, part) => sum + amount(part), 0)
    : null;
}
