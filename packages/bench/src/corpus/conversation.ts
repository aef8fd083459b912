import { cjkText } from "./cjk.ts";
import type { Decoy } from "./decoy.ts";
import type { AssistantMessage, ImageBlock, MessageUsage, TextBlock, ThinkingBlock } from "./entry.ts";
import { MODELS, type Model, usageOf } from "./model.ts";
import { type NeedlePlace, pathWith } from "./needle.ts";
import { command, commandOutput } from "./output.ts";
import type { SessionPlan } from "./plan.ts";
import type { Project } from "./project.ts";
import { answer, remark, request, summary, thought } from "./prose.ts";
import type { SessionWriter } from "./session-writer.ts";
import { type ToolUse, Workspace } from "./tools.ts";
import type { Topic } from "./topic.ts";

const THINKING_LEVELS = ["off", "low", "medium", "high"];
/** Where agents cut what a tool returns. */
const MAX_RESULT_LENGTH = 50_000;
const BYTES_BETWEEN_COMPACTIONS = 500_000;
const CHARACTERS_PER_TOKEN = 4;
/** A multiple of three, so that base64 has no padding. */
const PAYLOAD_BYTES = 600;

/** Plays one session into a writer until it has the planned size. */
export class Conversation {
  readonly #plan: SessionPlan;
  readonly #topic: Topic;
  readonly #writer: SessionWriter;
  readonly #workspace: Workspace;
  #model: Model;
  /** For each turn of this branch the entry that it was attached to. */
  #turns: (string | null)[] = [];
  #contextStart = 0;

  constructor(plan: SessionPlan, project: Project, topic: Topic, writer: SessionWriter) {
    this.#plan = plan;
    this.#topic = topic;
    this.#writer = writer;
    this.#workspace = new Workspace(project, topic);
    this.#model = topic.random.pick(MODELS);
  }

  /** @returns the entry that holds the planned needle, `null` where none is planned. */
  play(): string | null {
    const { needle, decoy, bytes, longLine, isNamed } = this.#plan;
    // A needle in a name stays only when it is the last name, and the other places do not mind.
    const hideAt = needle?.place === "name" ? Number.POSITIVE_INFINITY : this.#topic.random.fraction() * bytes * 0.8;
    let hidden: string | null = null;
    this.#changeModel();
    this.#writer.append({ type: "thinking_level_change", thinkingLevel: this.#topic.random.pick(THINKING_LEVELS) });
    this.#turn();
    if (isNamed) this.#writer.append({ type: "session_info", name: this.#topic.words(4) });
    if (decoy !== null) this.#plant(decoy);
    if (longLine > 0) this.#useTools([this.#workspace.bash(longLine)]);
    while (this.#writer.bytes < bytes + longLine) {
      if (needle !== null && hidden === null && this.#writer.bytes >= hideAt)
        hidden = this.#hide(needle.place, needle.text);
      this.#turn();
    }
    if (needle !== null && hidden === null) hidden = this.#hide(needle.place, needle.text);
    return hidden;
  }

  /** Writes an entry of the kind that `place` asks for, with `text` amid its own. @returns the entry's id. */
  #hide(place: NeedlePlace, text: string): string {
    const amid = (surroundings: string): string => {
      const middle = surroundings.indexOf(" ", Math.floor(surroundings.length / 2));
      return middle < 0
        ? `${surroundings} ${text}`
        : `${surroundings.slice(0, middle)} ${text}${surroundings.slice(middle)}`;
    };
    const topic = this.#topic;
    switch (place) {
      case "user":
        return this.#user([{ type: "text", text: amid(request(topic)) }]);
      case "assistant":
        return this.#assistant([{ type: "text", text: amid(this.#answer()) }], "stop");
      case "thinking":
        return this.#assistant([this.#thinking(amid(thought(topic))), { type: "text", text: remark(topic) }], "stop");
      case "tool_call": {
        const use = this.#workspace.bash(this.#resultLength());
        return this.#useTools([{ ...use, arguments: { command: amid(command(topic)) } }]).call;
      }
      case "file_path": {
        const use = this.#workspace.bash(this.#resultLength());
        return this.#useTools([{ ...use, name: "read", arguments: { path: pathWith(text) } }]).call;
      }
      case "tool_result": {
        const use = this.#workspace.bash(this.#resultLength());
        return this.#useTools([{ ...use, result: amid(use.result) }]).result;
      }
      case "bash_command":
        return this.#bash(amid(command(topic)), commandOutput(topic, this.#resultLength()));
      case "bash_output":
        return this.#bash(command(topic), amid(commandOutput(topic, this.#resultLength())));
      case "compaction":
        return this.#compact(amid(summary(topic)));
      case "branch_summary":
        return this.#branch(amid(summary(topic)));
      case "custom_message":
        return this.#writer.append({
          type: "custom_message",
          customType: "note",
          content: amid(remark(topic)),
          display: true,
        });
      case "name":
        return this.#writer.append({ type: "session_info", name: amid(topic.words(4)) });
      case "label":
        return this.#label(amid(topic.words(2)));
    }
  }

  /** Writes an entry with `text` where no search looks. */
  #plant({ place, text }: Decoy): void {
    const { random } = this.#topic;
    const payload = `${random.base64(PAYLOAD_BYTES)}${text}${random.base64(PAYLOAD_BYTES)}`;
    switch (place) {
      case "image":
        this.#user([...this.#request(), { type: "image", data: payload, mimeType: "image/png" }]);
        break;
      case "signature":
        this.#assistant([{ ...this.#thinking(this.#thought()), thinkingSignature: payload }], "stop");
        break;
      case "payload_in_output": {
        const use = this.#workspace.bash(this.#resultLength());
        this.#useTools([{ ...use, result: `${use.result}\n${payload}\n` }]);
        break;
      }
      case "hidden_message":
        this.#writer.append({ type: "custom_message", customType: "context", content: text, display: false });
        break;
      case "extension_data":
        this.#writer.append({ type: "custom", customType: "state", data: { text } });
        break;
    }
  }

  #turn(): void {
    const { random } = this.#topic;
    this.#writer.wait(20_000, 1_200_000);
    this.#topic.moveTo(this.#writer.time);
    if (this.#plan.hasBranches && this.#turns.length > 2 && random.chance(0.3)) {
      this.#branch(random.chance(0.5) ? summary(this.#topic) : null);
    }
    this.#turns.push(this.#writer.leaf);
    this.#user(this.#request());
    for (let steps = Math.round(random.logNormal(4, 0.8)); steps > 0 && this.#remaining() > 0; steps--) {
      const calls = random.chance(0.2) ? random.between(2, 4) : 1;
      this.#useTools(Array.from({ length: calls }, () => this.#workspace.use(this.#resultLength())));
    }
    this.#assistant([{ type: "text", text: this.#answer() }], "stop");
    this.#between();
  }

  /** What happens now and then between two turns. */
  #between(): void {
    const { random } = this.#topic;
    if (random.chance(0.05)) this.#bash(command(this.#topic), commandOutput(this.#topic, this.#resultLength()));
    if (random.chance(0.03)) this.#label(this.#topic.words(2));
    if (random.chance(0.02)) this.#changeModel();
    if (random.chance(0.02))
      this.#writer.append({ type: "custom", customType: "state", data: { count: random.below(100) } });
    if (this.#writer.bytes - this.#contextStart > BYTES_BETWEEN_COMPACTIONS) this.#compact(summary(this.#topic));
  }

  #useTools(uses: ToolUse[]): { call: string; result: string } {
    const { random } = this.#topic;
    const calls = uses.map((use) => ({ ...use, id: `toolu_01${random.hex(22)}` }));
    const call = this.#assistant(
      [
        ...(random.chance(0.4) ? [this.#thinking(this.#thought())] : []),
        ...(random.chance(0.5) ? [{ type: "text" as const, text: this.#remark() }] : []),
        ...calls.map((use) => ({ type: "toolCall" as const, id: use.id, name: use.name, arguments: use.arguments })),
      ],
      "toolUse",
    );
    let result = call;
    for (const use of calls) {
      this.#writer.wait(20, 8_000);
      result = this.#writer.append({
        type: "message",
        message: {
          role: "toolResult",
          toolCallId: use.id,
          toolName: use.name,
          content: [{ type: "text", text: use.result }],
          ...(use.details === undefined ? {} : { details: use.details }),
          isError: use.isError,
          timestamp: this.#writer.time,
        },
      });
    }
    return { call, result };
  }

  #user(content: (TextBlock | ImageBlock)[]): string {
    return this.#writer.append({ type: "message", message: { role: "user", content, timestamp: this.#writer.time } });
  }

  #assistant(content: AssistantMessage["content"], stopReason: AssistantMessage["stopReason"]): string {
    const started = this.#writer.time;
    this.#writer.wait(800, 25_000);
    const { api, provider, model } = this.#model;
    const responseId = `msg_${this.#topic.random.hex(24)}`;
    const usage = this.#usage(JSON.stringify(content).length);
    return this.#writer.append({
      type: "message",
      message: { role: "assistant", content, api, provider, model, usage, stopReason, timestamp: started, responseId },
    });
  }

  #usage(characters: number): MessageUsage {
    return usageOf(this.#model, {
      input: this.#topic.random.between(3, 900),
      output: Math.ceil(characters / CHARACTERS_PER_TOKEN),
      cacheRead: Math.floor((this.#writer.bytes - this.#contextStart) / CHARACTERS_PER_TOKEN),
      cacheWrite: this.#topic.random.below(4_000),
    });
  }

  #thinking(text: string): ThinkingBlock {
    return {
      type: "thinking",
      thinking: text,
      thinkingSignature: this.#topic.random.base64(this.#topic.random.between(90, 360)),
    };
  }

  #bash(commandLine: string, output: string): string {
    const message = { command: commandLine, output, exitCode: 0, cancelled: false, truncated: false };
    return this.#writer.append({
      type: "message",
      message: { role: "bashExecution", ...message, timestamp: this.#writer.time },
    });
  }

  #label(label: string): string {
    const targetId = this.#writer.leaf;
    if (targetId === null) throw new RangeError("There is no entry to label.");
    return this.#writer.append({ type: "label", targetId, label });
  }

  #changeModel(): void {
    this.#model = this.#topic.random.pick(MODELS);
    this.#writer.append({ type: "model_change", provider: this.#model.provider, modelId: this.#model.model });
  }

  #compact(text: string): string {
    const firstKeptEntryId = this.#turns.at(-1) ?? this.#writer.leaf;
    if (firstKeptEntryId === null) throw new RangeError("There is nothing to summarise.");
    const tokensBefore = Math.floor((this.#writer.bytes - this.#contextStart) / CHARACTERS_PER_TOKEN);
    this.#contextStart = this.#writer.bytes;
    return this.#writer.append({ type: "compaction", summary: text, firstKeptEntryId, tokensBefore });
  }

  /** Goes back to the beginning of one of the last turns. @returns the leaf, the summary where there is one. */
  #branch(text: string | null): string {
    const abandoned = this.#writer.leaf;
    const turn = Math.max(1, this.#turns.length - this.#topic.random.between(1, 4));
    const start = this.#turns[turn] ?? abandoned;
    if (abandoned === null || start === null) throw new RangeError("There is nothing to go back to.");
    this.#turns.length = Math.min(turn, this.#turns.length);
    this.#writer.leaf = start;
    return text === null ? start : this.#writer.append({ type: "branch_summary", fromId: abandoned, summary: text });
  }

  #request(): (TextBlock | ImageBlock)[] {
    const { random } = this.#topic;
    const { language } = this.#plan;
    const asked = language === "english" ? request(this.#topic) : cjkText(this.#topic, language, random.between(1, 4));
    const pasted = random.chance(0.12) ? `\n\n${commandOutput(this.#topic, this.#resultLength())}` : "";
    const content: (TextBlock | ImageBlock)[] = [{ type: "text", text: asked + pasted }];
    if (random.chance(0.02) && this.#remaining() > 200_000) {
      content.push({ type: "image", data: random.base64(random.between(20_000, 140_000)), mimeType: "image/png" });
    }
    return content;
  }

  #answer(): string {
    const { language } = this.#plan;
    return language === "english"
      ? answer(this.#topic, "typescript")
      : cjkText(this.#topic, language, this.#topic.random.between(3, 12));
  }

  #remark(): string {
    const { language } = this.#plan;
    return language === "english" ? remark(this.#topic) : cjkText(this.#topic, language, 1);
  }

  #thought(): string {
    const { language } = this.#plan;
    return language === "english"
      ? thought(this.#topic)
      : cjkText(this.#topic, language, this.#topic.random.between(2, 8));
  }

  #remaining(): number {
    return this.#plan.bytes - this.#writer.bytes;
  }

  /** Most results are short, some fill what the agent allows; none takes a session far beyond its size. */
  #resultLength(): number {
    const drawn = Math.round(this.#topic.random.logNormal(900, 1.4));
    return Math.max(80, Math.min(drawn, MAX_RESULT_LENGTH, this.#remaining()));
  }
}
