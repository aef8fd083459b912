import { isJsonObject, type JsonObject } from "../json.ts";
import type { SessionFormatName, Usage } from "../session/record.ts";
import { cut } from "../session/text.ts";
import { parseTimestamp } from "../session/timestamp.ts";
import type { NoteItem, SummaryItem, TranscriptBlock, TranscriptItem } from "../session/transcript.ts";
import { noUsage } from "../session/usage.ts";
import { CallIds } from "./call-ids.ts";
import { PiTurn } from "./pi-turn.ts";

/** Where a converted session comes from, as its file says. */
export interface ConversionOrigin {
  format: SessionFormatName;
  session_id: string;
  path: string;
  /** The last entry that was converted; `null` in a session without entries. */
  entry_id: string | null;
  /** RFC 3339. */
  converted_at: string;
}

/** What a new session begins with. */
export interface ConvertedSession {
  id: string;
  cwd: string;
  /** `null` for none. */
  name: string | null;
  origin: ConversionOrigin;
  /** Of answers that do not tell theirs. */
  model: string | null;
  provider: string | null;
}

/** Type of the entry that says where a session comes from. */
export const CONVERTED_FROM = "session-manager/converted-from";
/** Type of messages that the source's client has written, and of what has no place in the conversation of pi. */
const OF_SOURCE = "session-manager/source";

/** How requests to a model are made, by the format of its answers; pi takes them over for the same model alone. */
const SERVICES: Readonly<Record<SessionFormatName, { api: string; provider: string }>> = {
  pi: { api: "unknown", provider: "unknown" },
  "claude-code": { api: "anthropic-messages", provider: "anthropic" },
  codex: { api: "openai-responses", provider: "openai" },
};

/** Types of images that providers take. */
const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Characters of a block that pi does not know. */
const MOST_OF_RAW = 2_000;

/**
 * Writes a branch of any format as a session of pi, in format 3, line by line.
 *
 * Models take a conversation only if each result follows the message with its call, and each call has one. So pieces of
 * an answer are joined, results are put behind it in the order of arrival, and what came between call and result follows
 * them. A call without a result gets one that says so, and a result without a call becomes a message. Instructions and
 * hidden context of the source are left out: pi has its own.
 *
 * @param newId makes the ID of an entry, another one at each call.
 */
export function* piLines(
  items: Iterable<TranscriptItem>,
  session: ConvertedSession,
  newId: () => string,
): Generator<JsonObject> {
  const { id, cwd, name, origin } = session;
  yield { type: "session", version: 3, id, timestamp: origin.converted_at, cwd, parentSession: origin.path };
  const tree = new PiTree(newId, origin.converted_at);
  yield tree.entry({ type: "custom", customType: CONVERTED_FROM, data: { ...origin } });
  if (name !== null) yield tree.entry({ type: "session_info", name });
  yield* new Conversion(tree, session).lines(items);
}

/** Gives entries their places: each follows the one before. */
class PiTree {
  readonly #newId: () => string;
  #parentId: string | null = null;
  /** The time of entries that have none. */
  #timestamp: string;

  constructor(newId: () => string, timestamp: string) {
    this.#newId = newId;
    this.#timestamp = timestamp;
  }

  get parentId(): string | null {
    return this.#parentId;
  }

  at(timestamp: string | null): number {
    this.#timestamp = timestamp ?? this.#timestamp;
    return parseTimestamp(this.#timestamp) ?? 0;
  }

  entry({ type, ...fields }: JsonObject, id = this.#newId()): JsonObject {
    const parentId = this.#parentId;
    this.#parentId = id;
    return { type: type ?? null, id, parentId, timestamp: this.#timestamp, ...fields };
  }

  /** A compaction that keeps nothing of what was before names itself. */
  compaction(fields: JsonObject): JsonObject {
    const id = this.#newId();
    return this.entry({ type: "compaction", ...fields, firstKeptEntryId: id }, id);
  }
}

class Conversion {
  readonly #tree: PiTree;
  readonly #session: ConvertedSession;
  readonly #service: { api: string; provider: string };
  readonly #ids = new CallIds();
  #turn = new PiTurn();
  /** What came between a call and its result. */
  #held: TranscriptItem[] = [];
  #model: string | null;
  #tokens = 0;

  constructor(tree: PiTree, session: ConvertedSession) {
    this.#tree = tree;
    this.#session = session;
    this.#service = SERVICES[session.origin.format];
    this.#model = session.model;
  }

  *lines(items: Iterable<TranscriptItem>): Generator<JsonObject> {
    for (const item of items) yield* this.#add(item);
    yield* this.#end();
  }

  *#add(item: TranscriptItem): Generator<JsonObject> {
    if (item.kind === "note") return this.#learn(item);
    if (isLeftOut(item)) return;
    if (item.kind === "tool_result") {
      // Its call may have been made in another branch, or before a compaction.
      if (this.#turn.take(item)) return;
      if (this.#turn.isEmpty)
        yield this.#asMessage(`Result of ${item.tool_name ?? "a tool"}, whose call is not recorded`, item);
      else this.#held.push(item);
      return;
    }
    if (item.kind === "message" && item.role === "assistant") {
      if (!this.#turn.joins(item) || this.#held.length > 0) yield* this.#end();
      this.#turn.add(item, this.#ids);
      return;
    }
    if (this.#turn.isWaiting) {
      this.#held.push(item);
      return;
    }
    yield* this.#end();
    yield* this.#plain(item);
  }

  /** Writes the answer with its results, and what was held back. */
  *#end(): Generator<JsonObject> {
    const turn = this.#turn;
    const held = this.#held;
    this.#turn = new PiTurn();
    this.#held = [];
    const { answer } = turn;
    if (answer !== null) {
      // Behind a call, a provider expects nothing but calls.
      const calls = answer.blocks.filter(({ kind }) => kind === "tool_call");
      const others = answer.blocks.filter(({ kind }) => kind !== "tool_call");
      const content = [...others, ...calls].flatMap((block) => this.#ofAnswer(block, turn));
      const hasCalls = turn.calls.length > 0;
      if (content.length > 0 || answer.error !== null) {
        const usage = usageFor(answer.usage);
        this.#tokens = answer.usage?.total_tokens ?? this.#tokens;
        yield this.#message(answer.timestamp, {
          role: "assistant",
          content,
          api: this.#service.api,
          provider: answer.provider ?? this.#session.provider ?? this.#service.provider,
          model: answer.model ?? this.#model ?? "unknown",
          usage,
          stopReason: stopReasonOf(answer.stopReason, hasCalls, answer.error),
          ...(answer.error !== null && { errorMessage: answer.error }),
        });
      }
      for (const { id, name, result } of turn.results()) {
        const content = result === null ? [text("No result was recorded.")] : result.blocks.flatMap(ofUser);
        yield this.#message(result?.timestamp ?? null, {
          role: "toolResult",
          toolCallId: id,
          toolName: name,
          content: content.length === 0 ? [text("(no output)")] : content,
          isError: result === null || result.isError,
          ...(result !== null && result.diff !== null && { details: { diff: result.diff } }),
        });
      }
    }
    for (const item of held) yield* this.#add(item);
  }

  *#plain(item: Exclude<TranscriptItem, NoteItem>): Generator<JsonObject> {
    switch (item.kind) {
      case "summary":
        yield this.#summary(item);
        return;
      case "bash": {
        const { command, output, exit_code, cancelled, truncated, full_output_path } = item;
        yield this.#message(item.timestamp, {
          role: "bashExecution",
          command,
          output,
          ...(exit_code !== null && { exitCode: exit_code }),
          cancelled,
          truncated,
          ...(full_output_path !== null && { fullOutputPath: full_output_path }),
        });
        return;
      }
      case "message": {
        if (item.role === "user") {
          const content = item.blocks.flatMap(ofUser);
          if (content.length > 0) yield this.#message(item.timestamp, { role: "user", content });
        } else if (item.blocks.length > 0) yield this.#asMessage(null, item);
      }
    }
  }

  #summary({ reason, text: summary, timestamp, usage }: SummaryItem): JsonObject {
    this.#tree.at(timestamp);
    const counted = usage === null ? {} : { usage: usageFor(usage) };
    if (reason === "compaction") return this.#tree.compaction({ summary, tokensBefore: this.#tokens, ...counted });
    return this.#tree.entry({ type: "branch_summary", fromId: this.#tree.parentId ?? "root", summary, ...counted });
  }

  /** What pi has no role for: the model reads it as the user's. */
  #asMessage(remark: string | null, item: { timestamp: string | null; blocks: TranscriptBlock[] }): JsonObject {
    this.#tree.at(item.timestamp);
    const content = [...(remark === null ? [] : [text(`[${remark}]`)]), ...item.blocks.flatMap(ofUser)];
    return this.#tree.entry({ type: "custom_message", customType: OF_SOURCE, content, display: true });
  }

  #message(timestamp: string | null, message: JsonObject): JsonObject {
    const at = this.#tree.at(timestamp);
    return this.#tree.entry({ type: "message", message: { ...message, timestamp: at } });
  }

  /** Takes the model of the turn, or the usage of an answer, from a note that tells it. */
  #learn({ type, value, usage }: NoteItem): void {
    if (type === "turn_context") {
      const told = isJsonObject(value.payload) ? value.payload.model : value.model;
      if (typeof told === "string") this.#model = told;
    }
    if (usage !== null) this.#turn.use(usage);
  }

  #ofAnswer(block: TranscriptBlock, turn: PiTurn): JsonObject[] {
    switch (block.kind) {
      case "text":
        return block.text === "" ? [] : [text(block.text)];
      case "thinking":
        // What only the provider of the source can read is of no use to another.
        return block.redacted || block.text === "" ? [] : [{ type: "thinking", thinking: block.text }];
      case "tool_call": {
        const call = turn.callOf(block);
        return call === null ? [] : [{ type: "toolCall", id: call.id, name: call.name, arguments: block.arguments }];
      }
      default:
        return [text(placeholder(block))];
    }
  }
}

function isLeftOut(item: Exclude<TranscriptItem, NoteItem>): boolean {
  return item.kind === "message" && (item.hidden || item.role === "system");
}

/** A block of a user's message, or of a result. */
function ofUser(block: TranscriptBlock): JsonObject[] {
  if (block.kind === "text") return block.text === "" ? [] : [text(block.text)];
  if (block.kind === "thinking") return block.text === "" ? [] : [text(block.text)];
  if (block.kind === "image" && IMAGES.has(block.mime_type) && block.data !== "") {
    return [{ type: "image", data: block.data, mimeType: block.mime_type }];
  }
  return [text(placeholder(block))];
}

/** What stands for a block that pi has no place for. */
function placeholder(block: TranscriptBlock): string {
  switch (block.kind) {
    case "image":
      return `[image, ${block.mime_type || "of an unknown type"}]`;
    case "raw":
      return cut(JSON.stringify(block.value), MOST_OF_RAW);
    case "section":
      return `[instructions: ${block.name}]`;
    case "tools":
      return "[list of tools]";
    case "tool_call":
      return `[call of ${block.name}]`;
    default:
      return block.text;
  }
}

function text(written: string): JsonObject {
  return { type: "text", text: written };
}

/** pi estimates by it how full the context is. It is not counted again, see `usageOf`: the source has it. */
function usageFor(usage: Usage | null): JsonObject {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage ?? noUsage();
  return {
    input: input_tokens,
    output: output_tokens,
    cacheRead: cache_read_tokens,
    cacheWrite: cache_write_tokens,
    totalTokens: input_tokens + output_tokens + cache_read_tokens + cache_write_tokens,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    countedElsewhere: true,
  };
}

/** pi does not show the model an answer that has failed or was interrupted, which would leave its results alone. */
function stopReasonOf(told: string | null, hasCalls: boolean, error: string | null): string {
  if (hasCalls) return "toolUse";
  if (error !== null) return "error";
  if (told === "max_tokens" || told === "length") return "length";
  return told === "aborted" ? "aborted" : "stop";
}
