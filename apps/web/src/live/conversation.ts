import { type JsonObject, type MessageItem, piItem, type ToolResultItem, type TranscriptItem } from "@sm/core";
import type { TimedResult } from "../entries/tool-call.tsx";
import { contentText, numberOf, objectOf, textOf, textsOf } from "./agent-record.ts";
import { type ExtensionDisplay, NOTHING_DISPLAYED, withRequest } from "./extension-display.ts";
import { type Notice, noticeOf } from "./notice.ts";
import { type Question, questionOf } from "./question.ts";
import { beginMessage, endedMessage, type StreamingMessage, withDelta } from "./streaming-message.ts";

/** What stands in one place of a conversation. */
export type ConversationRow = {
  key: string;
  /** By the agent's clock, in milliseconds; what the agent gives no time has that of what came before it. */
  time: number;
} & (
  | { kind: "message"; item: MessageItem; results: readonly TimedResult[]; continues: boolean }
  | { kind: "other"; item: Exclude<TranscriptItem, MessageItem> }
  | { kind: "notice"; notice: Notice }
);

/** A tool that runs, with what it has written so far. */
export interface RunningTool {
  id: string;
  name: string;
  arguments: JsonObject;
  output: string;
}

/** Prompts that wait for their turn, as the agent tells. */
export interface Queue {
  steering: readonly string[];
  followUp: readonly string[];
}

/** A conversation at one moment. What has not changed is the same object as before. */
export interface Conversation {
  rows: readonly ConversationRow[];
  streaming: StreamingMessage | null;
  tools: readonly RunningTool[];
  questions: readonly Question[];
  queue: Queue;
  extensions: ExtensionDisplay;
  isCompacting: boolean;
}

/** What the service tells of an agent: a record with its number and time. */
export interface LiveRecord {
  seq: number;
  timestamp: string;
  event: JsonObject;
}

/** Rows that are kept; what is older is in the session's file. */
const MAX_ROWS = 1_000;
/** Rows above a result that may have its call: an agent calls some tools at a time. */
const CALL_ROWS = 64;
const MAX_QUESTIONS = 100;
const MAX_QUEUED = 100;

const NO_QUEUE: Queue = { steering: [], followUp: [] };

/** Makes a conversation of an agent's records, in their order. */
export class ConversationBuilder {
  #conversation: Conversation = {
    rows: [],
    streaming: null,
    tools: [],
    questions: [],
    queue: NO_QUEUE,
    extensions: NOTHING_DISPLAYED,
    isCompacting: false,
  };
  /** Of the newest message, by the agent's clock. */
  #latest: number | null = null;
  /** Of tools that have ended and whose results come next, in milliseconds. */
  readonly #durations = new Map<string, number>();
  /** Rows of answers that were too large to be told; their entries may come later. */
  readonly #provisional: string[] = [];

  get conversation(): Conversation {
    return this.#conversation;
  }

  add({ seq, timestamp, event }: LiveRecord): void {
    const key = `live ${seq}`;
    switch (event.type) {
      case "message_start":
        if (objectOf(event.message).role === "assistant") {
          this.#set({ streaming: beginMessage(key, timestamp, objectOf(event.message)) });
        }
        break;
      case "message_update": {
        const streaming = this.#conversation.streaming ?? beginMessage(key, timestamp, {});
        this.#set({ streaming: withDelta(streaming, objectOf(event.assistantMessageEvent)) });
        break;
      }
      case "message_end":
        this.#endMessage(key, timestamp, event);
        break;
      case "tool_execution_start":
      case "tool_execution_update":
        this.#runTool(event);
        break;
      case "tool_execution_end":
        this.#endTool(event);
        break;
      case "entry_appended":
        this.#addEntry(objectOf(event.entry), key, timeOf(objectOf(event.entry)));
        break;
      case "service_entry":
        this.#addLost(objectOf(event.entry), key);
        break;
      case "agent_end":
        this.#durations.clear();
        this.#set({ streaming: null, tools: [] });
        break;
      case "queue_update":
        this.#set({
          queue: {
            steering: textsOf(event.steering, MAX_QUEUED),
            followUp: textsOf(event.followUp, MAX_QUEUED),
          },
        });
        break;
      case "extension_ui_request":
        this.#ask(event);
        break;
      case "extension_ui_response":
        this.#set({ questions: this.#conversation.questions.filter(({ id }) => id !== event.id) });
        break;
      case "compaction_start":
      case "auto_compaction_start":
        this.#set({ isCompacting: true });
        break;
      case "compaction_end":
      case "auto_compaction_end":
        this.#endCompaction(key, timestamp, event);
        break;
      case "service_exit":
        this.#set({
          streaming: null,
          tools: [],
          questions: [],
          queue: NO_QUEUE,
          extensions: NOTHING_DISPLAYED,
          isCompacting: false,
        });
        break;
    }
    const notice = noticeOf(event);
    if (notice !== null) this.#push({ kind: "notice", key, time: this.#timeBefore(timestamp), notice });
  }

  #endMessage(key: string, timestamp: string, event: JsonObject): void {
    const { streaming } = this.#conversation;
    if (!("message" in event)) {
      // It was too large to be told.
      if (streaming !== null) {
        this.#addItem(endedMessage(streaming), streaming.key, this.#timeBefore(timestamp));
        this.#provisional.push(streaming.key);
      }
      this.#set({ streaming: null });
      return;
    }
    const message = objectOf(event.message);
    const isAnswer = message.role === "assistant";
    const entry = { type: "message", timestamp, message: event.message ?? null };
    // Its row takes the place of what was streamed, so that what is open in it stays so.
    const time = timeOf(message) ?? this.#timeOf(timestamp);
    this.#latest = Math.max(this.#latest ?? time, time);
    this.#addEntry(entry, isAnswer && streaming !== null ? streaming.key : key, time);
    if (isAnswer) this.#set({ streaming: null });
  }

  #endTool(event: JsonObject): void {
    const id = textOf(event.toolCallId);
    const duration = numberOf(event.durationMs);
    if (id !== null && duration !== null) this.#durations.set(id, duration);
    this.#set({ tools: this.#conversation.tools.filter((tool) => tool.id !== id) });
  }

  /** Adds an entry whose record was lost at its place in time, or in place of what was seen of it. */
  #addLost(entry: JsonObject, key: string): void {
    const { rows } = this.#conversation;
    const isAnswer = objectOf(entry.message).role === "assistant";
    const provisional = isAnswer ? this.#provisional.shift() : undefined;
    const seen = rows.findIndex((row) => row.key === provisional);
    const time = timeOf(entry);
    const later = rows.findIndex((row) => row.kind !== "notice" && time !== null && (rowTime(row) ?? 0) > time);
    const place = seen >= 0 ? seen : later >= 0 ? later : rows.length;
    this.#set({ rows: rows.slice(0, place) });
    this.#addEntry(entry, provisional ?? key, time);
    this.#set({ rows: [...this.#conversation.rows, ...rows.slice(seen >= 0 ? place + 1 : place)] });
  }

  #endCompaction(key: string, timestamp: string, event: JsonObject): void {
    this.#set({ isCompacting: false });
    const summary = textOf(objectOf(event.result).summary);
    if (summary === null) return;
    this.#addEntry({ type: "compaction", timestamp, summary }, key, this.#timeBefore(timestamp));
  }

  /** Of what the agent gives no time: that of the newest message. */
  #timeBefore(timestamp: string): number {
    return this.#latest ?? this.#timeOf(timestamp);
  }

  #timeOf(timestamp: string): number {
    return timeOf({ timestamp }) ?? this.#latest ?? 0;
  }

  #addEntry(entry: JsonObject, key: string, time: number | null): void {
    this.#addItem(piItem(entry, { id: key, parentId: null }), key, time ?? this.#latest ?? 0);
  }

  #addItem(item: TranscriptItem, key: string, time: number): void {
    if (item.kind === "tool_result" && this.#addResult(item)) return;
    if (item.kind === "message") {
      const continues = this.#speaker() === item.role;
      this.#push({ kind: "message", key, time, item, results: [], continues });
    } else if (item.kind !== "note") this.#push({ kind: "other", key, time, item });
  }

  /** Puts a result to its call; tells whether there is one. */
  #addResult(result: ToolResultItem): boolean {
    const { rows, tools } = this.#conversation;
    const at = rows.findLastIndex((row, index) => index >= rows.length - CALL_ROWS && hasCall(row, result.call_id));
    const row = rows[at];
    if (row?.kind !== "message") return false;
    const others = row.results.filter(({ id }) => id !== result.id);
    const duration_ms = this.#durations.get(result.call_id ?? "");
    const timed: TimedResult = duration_ms === undefined ? result : { ...result, duration_ms };
    this.#set({
      rows: rows.with(at, { ...row, results: [...others, timed] }),
      tools: tools.filter(({ id }) => id !== result.call_id),
    });
    return true;
  }

  #speaker(): string | null {
    const last = this.#conversation.rows.at(-1);
    return last?.kind === "message" ? last.item.role : null;
  }

  #runTool(event: JsonObject): void {
    const id = textOf(event.toolCallId);
    if (id === null) return;
    const { tools } = this.#conversation;
    const before = tools.find((tool) => tool.id === id);
    const tool: RunningTool = {
      id,
      name: textOf(event.toolName) ?? before?.name ?? "",
      arguments: "args" in event ? objectOf(event.args) : (before?.arguments ?? {}),
      output: "partialResult" in event ? contentText(objectOf(event.partialResult).content) : (before?.output ?? ""),
    };
    this.#set({ tools: before === undefined ? [...tools, tool] : tools.map((one) => (one === before ? tool : one)) });
  }

  #ask(event: JsonObject): void {
    const question = questionOf(event);
    const { questions, extensions } = this.#conversation;
    if (question !== null) {
      const others = questions.filter(({ id }) => id !== question.id);
      this.#set({ questions: [...others, question].slice(-MAX_QUESTIONS) });
    } else this.#set({ extensions: withRequest(extensions, event) });
  }

  #push(row: ConversationRow): void {
    const { rows } = this.#conversation;
    // A tenth at a time, because removing moves all others.
    const kept = rows.length >= MAX_ROWS ? rows.slice(MAX_ROWS / 10) : rows;
    this.#set({ rows: [...kept, row] });
  }

  #set(change: Partial<Conversation>): void {
    this.#conversation = { ...this.#conversation, ...change };
  }
}

function hasCall(row: ConversationRow, id: string | null): boolean {
  if (row.kind !== "message" || id === null) return false;
  return row.item.blocks.some((block) => block.kind === "tool_call" && block.id === id);
}

function rowTime(row: Exclude<ConversationRow, { kind: "notice" }>): number | null {
  return timeOf({ timestamp: row.item.timestamp });
}

/** The time of an entry in milliseconds; `null` where it has none. */
function timeOf(entry: JsonObject): number | null {
  const time = typeof entry.timestamp === "string" ? Date.parse(entry.timestamp) : numberOf(entry.timestamp);
  return time === null || Number.isNaN(time) ? null : time;
}
