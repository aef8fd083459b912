import type { CorpusEntry, TranslatedSession } from "./claude-code-lines.ts";
import type { EntryBase, Message, ToolCallBlock } from "./entry.ts";

const INSTRUCTIONS = "You are a coding agent that runs in a terminal. Be precise, safe and helpful. ".repeat(160);
const ENCRYPTED = "gAAAAABo".repeat(80);

/** Writes entries as Codex 0.140 does: events for people beside the items of the model, calls and results by an ID. */
export class CodexLines {
  readonly #session: TranslatedSession;
  #turns = 0;
  #total = 0;

  constructor(session: TranslatedSession) {
    this.#session = session;
  }

  /** Where it is in the home. */
  path(timestamp: string): string {
    const [day = ""] = timestamp.split("T");
    const stamp = timestamp.slice(0, 19).replaceAll(":", "-");
    return `sessions/${day.replaceAll("-", "/")}/rollout-${stamp}-${this.#session.id}.jsonl`;
  }

  header(timestamp: string): object {
    const { id, cwd } = this.#session;
    const base_instructions = { text: INSTRUCTIONS };
    const facts = { id, timestamp, cwd, originator: "codex_cli_rs", cli_version: "0.140.0", source: "cli" };
    return line("session_meta", timestamp, { ...facts, model_provider: "openai", base_instructions });
  }

  *prompt(text: string, timestamp: string): Generator<object> {
    const turn_id = `${this.#session.id.slice(0, 24)}${(this.#turns++).toString(16).padStart(12, "0")}`;
    const { cwd } = this.#session;
    const policies = { approval_policy: "on-request", sandbox_policy: { type: "workspace-write" }, summary: "auto" };
    yield line("turn_context", timestamp, { turn_id, cwd, model: "gpt-5.5-codex", effort: "medium", ...policies });
    const content = [{ type: "input_text", text }];
    yield line("response_item", timestamp, { type: "message", role: "user", content });
    yield line("event_msg", timestamp, { type: "user_message", message: text, images: [] });
  }

  *of(entry: CorpusEntry): Generator<object> {
    if (entry.type === "compaction") yield line("compacted", entry.timestamp, { message: entry.summary });
    else if (entry.type === "message") yield* this.#message(entry.message, entry);
  }

  *#message(message: Message, { timestamp }: EntryBase): Generator<object> {
    if (message.role === "user") {
      const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
      yield* this.prompt(text, timestamp);
    } else if (message.role === "assistant") {
      for (const block of message.content) {
        if (block.type === "text") {
          const content = [{ type: "output_text", text: block.text }];
          yield line("response_item", timestamp, { type: "message", role: "assistant", content });
          yield line("event_msg", timestamp, { type: "agent_message", message: block.text });
        } else if (block.type === "thinking") {
          const summary = [{ type: "summary_text", text: block.thinking }];
          yield line("response_item", timestamp, { type: "reasoning", summary, encrypted_content: ENCRYPTED });
        } else if (block.type === "toolCall") yield line("response_item", timestamp, callOf(block));
      }
      yield this.#usage(message.usage, timestamp);
    } else if (message.role === "toolResult") {
      const output = message.content.map((block) => block.text).join("\n");
      const type = message.toolName === "edit" ? "custom_tool_call_output" : "function_call_output";
      yield line("response_item", timestamp, { type, call_id: message.toolCallId, output });
    }
  }

  #usage(
    { input, output, cacheRead }: { input: number; output: number; cacheRead: number },
    timestamp: string,
  ): object {
    this.#total += input + cacheRead + output;
    const input_tokens = input + cacheRead;
    const counts = { input_tokens, cached_input_tokens: cacheRead, output_tokens: output, reasoning_output_tokens: 0 };
    const total_token_usage = { ...counts, total_tokens: this.#total };
    const last_token_usage = { ...counts, total_tokens: input_tokens + output };
    const info = { total_token_usage, last_token_usage, model_context_window: 272_000 };
    return line("event_msg", timestamp, { type: "token_count", info, rate_limits: null });
  }
}

function line(type: string, timestamp: string, payload: object): object {
  return { timestamp, type, payload };
}

function callOf({ id, name, arguments: given }: ToolCallBlock): object {
  const { path, edits, ...others } = given;
  const [edit] = Array.isArray(edits) ? edits : [];
  if (edit === undefined) {
    const call = { type: "function_call", name: name === "bash" ? "exec_command" : name };
    return { ...call, arguments: JSON.stringify({ path, ...others }), call_id: id };
  }
  const lines = [
    ...edit.oldText.split("\n").map((text) => `-${text}`),
    ...edit.newText.split("\n").map((text) => `+${text}`),
  ];
  const input = `*** Begin Patch\n*** Update File: ${String(path)}\n@@\n${lines.join("\n")}\n*** End Patch\n`;
  return { type: "custom_tool_call", status: "completed", call_id: id, name: "apply_patch", input };
}
