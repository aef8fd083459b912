import type { EntryBase, EntryBody, Message, ToolCallBlock } from "./entry.ts";

export type CorpusEntry = EntryBody & EntryBase;

/** A session of the corpus that is written again as another agent would have written it. */
export interface TranslatedSession {
  id: string;
  cwd: string;
}

const SNAPSHOT = { type: "file-history-snapshot", isSnapshotUpdate: false };

/** Writes entries as Claude Code 2.1 does: a record for each block of an answer, its usage repeated in each. */
export class ClaudeCodeLines {
  readonly #session: TranslatedSession;
  #leaf: string | null = null;
  #records = 0;

  constructor(session: TranslatedSession) {
    this.#session = session;
  }

  /** Where it is in the home. */
  path(): string {
    const { id, cwd } = this.#session;
    return `projects/${cwd.replaceAll(/[^A-Za-z0-9-]/g, "-")}/${id}.jsonl`;
  }

  /** One prompt more. */
  prompt(text: string, timestamp: string): object {
    return this.#record("user", timestamp, { message: { role: "user", content: text }, permissionMode: "default" });
  }

  *of(entry: CorpusEntry): Generator<object> {
    if (entry.type === "compaction") {
      yield this.#record("system", entry.timestamp, { subtype: "compact_boundary", content: "Conversation compacted" });
      const message = { role: "user", content: entry.summary };
      yield this.#record("user", entry.timestamp, { message, isCompactSummary: true });
    } else if (entry.type === "message") yield* this.#message(entry.message, entry);
  }

  *#message(message: Message, { id, timestamp }: EntryBase): Generator<object> {
    if (message.role === "user") {
      const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
      const record = this.prompt(text, timestamp);
      yield {
        ...SNAPSHOT,
        messageId: this.#leaf,
        snapshot: { messageId: this.#leaf, trackedFileBackups: {}, timestamp },
      };
      yield record;
    } else if (message.role === "assistant") {
      const { input, output, cacheRead, cacheWrite } = message.usage;
      const usage = {
        input_tokens: input,
        cache_creation_input_tokens: cacheWrite,
        cache_read_input_tokens: cacheRead,
        cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
        output_tokens: output,
        service_tier: "standard",
      };
      for (const block of message.content) {
        const content = [
          block.type === "text"
            ? block
            : block.type === "thinking"
              ? { type: "thinking", thinking: block.thinking, signature: block.thinkingSignature }
              : { type: "tool_use", id: block.id, name: TOOL_NAMES[block.name] ?? block.name, input: inputOf(block) },
        ];
        const whole = { id: `msg_${id}`, type: "message", role: "assistant", model: message.model, content };
        const more = { stop_reason: null, stop_sequence: null, usage };
        yield this.#record("assistant", timestamp, { message: { ...whole, ...more }, requestId: `req_${id}` });
      }
    } else if (message.role === "toolResult") {
      const text = message.content.map((block) => block.text).join("\n");
      const result = { tool_use_id: message.toolCallId, type: "tool_result", content: text, is_error: message.isError };
      const toolUseResult = { stdout: text, stderr: "", interrupted: message.isError, isImage: false };
      yield this.#record("user", timestamp, { message: { role: "user", content: [result] }, toolUseResult });
    }
  }

  #record(type: string, timestamp: string, more: object): object {
    const { id, cwd } = this.#session;
    const place = (this.#records++).toString(16).padStart(12, "0");
    const parentUuid = this.#leaf;
    this.#leaf = `${id.slice(0, 24)}${place}`;
    const facts = {
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId: id,
      version: "2.1.230",
      gitBranch: "main",
    };
    return { parentUuid, ...facts, type, ...more, uuid: this.#leaf, timestamp };
  }
}

const TOOL_NAMES: Readonly<Record<string, string>> = { bash: "Bash", read: "Read", edit: "Edit", write: "Write" };

function inputOf(block: ToolCallBlock): object {
  const { path, edits, ...others } = block.arguments;
  const file = path === undefined ? {} : { file_path: path };
  const [edit] = Array.isArray(edits) ? edits : [];
  return edit === undefined
    ? { ...file, ...others }
    : { ...file, old_string: edit.oldText, new_string: edit.newText, replace_all: false };
}
