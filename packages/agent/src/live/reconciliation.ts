import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";
import type { AgentRecord } from "./agent-record.ts";

/** An entry of the session after which all entries are compared. */
export interface EntryCursor {
  /** `null` for the beginning. */
  id: string | null;
  /** RFC 3339; if the agent does not know the ID, entries after this time are compared. */
  time: string;
}

/** Limit of remembered keys; then entries are compared, and the keys are dropped. */
const MAX_REMEMBERED = 10_000;
/** Characters of a text that identify it. */
const KEY_TEXT = 200;

/**
 * Finds entries of a session that are missing in the agent's records: a line was too long or mixed with other output,
 * or another agent wrote to the file.
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
    if (isLoss(record) || this.#told.size > MAX_REMEMBERED) this.#isDue = true;
  }

  /** Called when the request is sent; later losses make it due again. */
  begin(): void {
    this.#isDue = false;
  }

  /** Processes the response to `get_entries`, in order with the records; returns the missing entries. */
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

/** Records do not have the ID of their entry; the message is the same in both. */
function keyOfMessage({ role, timestamp, toolCallId, content }: JsonObject): string {
  if (role === "toolResult") return `toolResult ${String(toolCallId)}`;
  if (role === "custom") return keyOfText("custom", content);
  return `${String(role)} ${String(timestamp)}`;
}

function keyOfText(kind: string, text: JsonValue | undefined): string {
  return `${kind} ${(typeof text === "string" ? text : JSON.stringify(text ?? null)).slice(0, KEY_TEXT)}`;
}
