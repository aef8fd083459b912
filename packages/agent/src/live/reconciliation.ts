import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";
import type { AgentRecord } from "./record.ts";

/** An entry of the session after which everything is compared. */
export interface EntryCursor {
  /** `null` for the beginning. */
  id: string | null;
  /** RFC 3339; where the agent does not know the id, entries after this time are compared. */
  time: string;
}

/** Keys that are remembered; then the entries are compared, and they can be forgotten. */
const MOST_TOLD = 10_000;
/** Characters of a text that tell it from another. */
const KEY_TEXT = 200;

/**
 * Finds the entries of a session that the agent has written and that its records did not tell: a line was too long, or
 * mixed with other output, or another agent wrote to the file before.
 */
export class Reconciliation {
  #cursor: EntryCursor;
  readonly #told = new Set<string>();
  #isDue: boolean;

  constructor(cursor: EntryCursor, isDue: boolean) {
    this.#cursor = cursor;
    this.#isDue = isDue;
  }

  /** Whether entries may be missing. */
  get isDue(): boolean {
    return this.#isDue;
  }

  get cursor(): EntryCursor {
    return this.#cursor;
  }

  observe(record: AgentRecord): void {
    const key = keyOfRecord(record);
    if (key !== null) this.#told.add(key);
    if (isLoss(record) || this.#told.size > MOST_TOLD) this.#isDue = true;
  }

  /** Called when the agent is asked; what is lost from now on makes it due again. */
  begin(): void {
    this.#isDue = false;
  }

  /** Takes the answer to `get_entries` at its place among the records, and returns the entries that were not told. */
  take(data: JsonValue | undefined, isFromCursor: boolean): JsonObject[] {
    const listed = isJsonObject(data) && Array.isArray(data.entries) ? data.entries.filter(isJsonObject) : [];
    const { time } = this.#cursor;
    const entries = isFromCursor ? listed : listed.filter(({ timestamp }) => String(timestamp) > time);
    const missing = entries.filter((entry) => !this.#told.has(keyOfEntry(entry)));
    const last = listed.at(-1);
    if (typeof last?.id === "string") this.#cursor = { id: last.id, time: String(last.timestamp) };
    this.#told.clear();
    return missing;
  }
}

function isLoss({ type, message, entry, result, truncated }: AgentRecord): boolean {
  if (type === "service_line_skipped" || type === "service_garbage") return true;
  if (truncated !== true) return false;
  if (type === "message_end") return !isJsonObject(message);
  return (type === "entry_appended" && !isJsonObject(entry)) || (type === "compaction_end" && !isJsonObject(result));
}

function keyOfRecord({ type, message, entry, result }: AgentRecord): string | null {
  if (type === "message_end" && isJsonObject(message)) return keyOfMessage(message);
  if (type === "entry_appended" && isJsonObject(entry)) return keyOfEntry(entry);
  if (type === "compaction_end" && isJsonObject(result)) return keyOfText("compaction", result.summary);
  return null;
}

function keyOfEntry(entry: JsonObject): string {
  const { type, id, message, summary, content } = entry;
  if (type === "message" && isJsonObject(message)) return keyOfMessage(message);
  if (type === "compaction") return keyOfText("compaction", summary);
  if (type === "custom_message") return keyOfText("custom", content);
  return `entry ${String(id)}`;
}

/** A record does not tell the id of its entry; the message is the same in both. */
function keyOfMessage({ role, timestamp, toolCallId, content }: JsonObject): string {
  if (role === "toolResult") return `toolResult ${String(toolCallId)}`;
  if (role === "custom") return keyOfText("custom", content);
  return `${String(role)} ${String(timestamp)}`;
}

function keyOfText(kind: string, text: JsonValue | undefined): string {
  return `${kind} ${(typeof text === "string" ? text : JSON.stringify(text ?? null)).slice(0, KEY_TEXT)}`;
}
