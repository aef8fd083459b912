import { createHash } from "node:crypto";

type Entry = Record<string, unknown>;
type Block = Record<string, unknown>;

/** Model of a sample session. Prices are US dollars per million tokens. */
export interface SampleModel {
  provider: string;
  id: string;
  api: string;
  price: { input: number; output: number; cacheRead: number; cacheWrite: number };
}

export interface SampleStart {
  /** Working directory, which need not exist. */
  cwd: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  model: SampleModel;
  /** File of the parent session. */
  parentPath?: string;
}

export interface ToolUse {
  name: string;
  arguments: Record<string, unknown>;
  /** Output of the tool. */
  output: string;
  diff?: string;
  failed?: boolean;
}

const SYSTEM_PROMPT_TOKENS = 2400;

/**
 * Writes a session entry by entry like the agent; IDs, times, token counts and costs are derived from the content.
 * Deterministic.
 */
export class SessionWriter {
  readonly id: string;
  readonly fileName: string;
  readonly cwd: string;
  readonly #lines: string[] = [];
  readonly #labels: { targetId: string; label: string }[] = [];
  /** Tree entries by id, for forks and token counts. */
  readonly #entries = new Map<string, Entry>();
  /** The newest entry, parent of the next one. */
  #leaf: string | null = null;
  #now: number;
  #model: SampleModel;

  constructor({ cwd, startedAt, model, parentPath }: SampleStart) {
    this.cwd = cwd;
    this.#now = startedAt;
    this.#model = model;
    this.id = timeOrderedId(startedAt, cwd);
    const timestamp = new Date(startedAt).toISOString();
    this.fileName = `${timestamp.replace(/[:.]/g, "-")}_${this.id}.jsonl`;
    const parent = parentPath === undefined ? {} : { parentSession: parentPath };
    this.#lines.push(JSON.stringify({ type: "session", version: 3, id: this.id, timestamp, cwd, ...parent }));
    if (parentPath === undefined) this.#append({ type: "model_change", provider: model.provider, modelId: model.id });
  }

  /** Milliseconds since 1970 of the newest entry. */
  get endedAt(): number {
    return this.#now;
  }

  user(text: string, ...images: string[]): string {
    this.#wait(20_000 + text.length * 90);
    const pictures = images.map((data) => ({ type: "image", data, mimeType: "image/png" }));
    return this.#message({ role: "user", content: [{ type: "text", text }, ...pictures] });
  }

  /** Adds an assistant turn: thinking, sequential tool calls and a final text. */
  assistant(turn: { thinking?: string; before?: string; tools?: ToolUse[]; text: string }): string {
    let blocks: Block[] = [];
    if (turn.thinking !== undefined) blocks.push({ type: "thinking", thinking: turn.thinking });
    if (turn.before !== undefined) blocks.push({ type: "text", text: turn.before });
    for (const tool of turn.tools ?? []) {
      const callId = `call_${this.#hash(`call ${this.#lines.length}`)}`;
      blocks.push({ type: "toolCall", id: callId, name: tool.name, arguments: tool.arguments });
      this.#say(blocks, "toolUse");
      blocks = [];
      this.#wait(400 + tool.output.length * 3);
      this.#message({
        role: "toolResult",
        toolCallId: callId,
        toolName: tool.name,
        content: [{ type: "text", text: tool.output }],
        isError: tool.failed ?? false,
        ...(tool.diff === undefined ? {} : { details: { diff: tool.diff } }),
      });
    }
    blocks.push({ type: "text", text: turn.text });
    return this.#say(blocks, "stop");
  }

  /** A shell command that the user ran in the agent. */
  bash(command: string, output: string): void {
    this.#wait(9_000);
    this.#message({ role: "bashExecution", command, output, exitCode: 0, cancelled: false, truncated: false });
  }

  changeModel(model: SampleModel): void {
    this.#wait(5_000);
    this.#model = model;
    this.#append({ type: "model_change", provider: model.provider, modelId: model.id });
  }

  compact(summary: string, firstKeptEntryId: string): void {
    this.#wait(12_000);
    this.#append({ type: "compaction", summary, firstKeptEntryId, tokensBefore: this.#contextTokens() });
  }

  name(name: string): void {
    this.#append({ type: "session_info", name });
  }

  label(targetId: string, label: string): void {
    this.#append({ type: "label", targetId, label });
    this.#labels.push({ targetId, label });
  }

  /** Returns to an entry, so that the next one starts a branch, and adds a summary of the branch left. */
  returnTo(entryId: string, summaryOfLeftBranch: string): void {
    const fromId = this.#leaf;
    this.#leaf = entryId;
    this.#wait(15_000);
    this.#append({ type: "branch_summary", fromId, summary: summaryOfLeftBranch });
  }

  /** Starts a session with this one's branch up to an entry. */
  fork(entryId: string, startedAt: number, parentPath: string): SessionWriter {
    const fork = new SessionWriter({ cwd: this.cwd, startedAt, model: this.#model, parentPath });
    for (const entry of this.#branch(entryId)) fork.#write(entry);
    for (const { targetId, label } of this.#labels) {
      if (fork.#entries.has(targetId)) fork.label(targetId, label);
    }
    return fork;
  }

  /** The session as JSONL. */
  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  #say(content: Block[], stopReason: "stop" | "toolUse"): string {
    const input = this.#contextTokens();
    const output = tokens(JSON.stringify(content));
    // Earlier input comes from the provider's cache.
    const cacheRead = Math.floor(input * 0.8);
    const fresh = input - cacheRead;
    const { price } = this.#model;
    const cost = {
      input: (fresh * price.input) / 1e6,
      output: (output * price.output) / 1e6,
      cacheRead: (cacheRead * price.cacheRead) / 1e6,
      cacheWrite: 0,
    };
    this.#wait(1_500 + output * 18);
    return this.#message({
      role: "assistant",
      content,
      api: this.#model.api,
      provider: this.#model.provider,
      model: this.#model.id,
      usage: {
        input: fresh,
        output,
        cacheRead,
        cacheWrite: 0,
        totalTokens: input + output,
        cost: { ...cost, total: cost.input + cost.output + cost.cacheRead + cost.cacheWrite },
      },
      stopReason,
    });
  }

  #message(message: Entry): string {
    return this.#append({ type: "message", message: { ...message, timestamp: this.#now } });
  }

  #append(fields: Entry): string {
    const id = this.#hash(String(this.#lines.length));
    const { type, ...rest } = fields;
    this.#write({ type, id, parentId: this.#leaf, timestamp: new Date(this.#now).toISOString(), ...rest });
    return id;
  }

  #write(entry: Entry): void {
    this.#lines.push(JSON.stringify(entry));
    this.#leaf = String(entry.id);
    this.#entries.set(this.#leaf, entry);
  }

  #branch(leaf: string | null): Entry[] {
    const entry = leaf === null ? undefined : this.#entries.get(leaf);
    return entry === undefined ? [] : [...this.#branch(entry.parentId as string | null), entry];
  }

  #contextTokens(): number {
    const branch = this.#branch(this.#leaf);
    const compacted = branch.findLastIndex((entry) => entry.type === "compaction");
    const text = JSON.stringify(branch.slice(Math.max(compacted, 0)).map(({ message, summary }) => message ?? summary));
    return SYSTEM_PROMPT_TOKENS + tokens(text.replace(/"data":"[^"]*"/g, ""));
  }

  #hash(text: string): string {
    return createHash("sha256").update(`${this.id} ${text}`).digest("hex").slice(0, 8);
  }

  #wait(milliseconds: number): void {
    this.#now += Math.round(milliseconds);
  }
}

/** Four characters per token is the rule of thumb for English and code. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** A UUID of version 7, as in the agent, with its random part derived from a seed. */
function timeOrderedId(milliseconds: number, seed: string): string {
  const time = milliseconds.toString(16).padStart(12, "0");
  const random = createHash("sha256").update(seed).digest("hex");
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(0, 3)}`,
    `8${random.slice(3, 6)}`,
    random.slice(6, 18),
  ].join("-");
}
