import type { AssistantMessage, ToolCallBlock } from "../corpus/entry.ts";
import type { SessionWriter } from "../corpus/session-writer.ts";

/** A session that was written by hand, in the shape of what people and agents really say. */
export interface WrittenSession {
  /** Says what it is about; queries name it. It is the id of the session, which no search looks at. */
  id: string;
  cwd: string;
  /** How long before the run it began. */
  daysAgo: number;
  isFavorite?: boolean;
  steps: Step[];
}

/** Appends what happens at one moment of a session. */
export type Step = (writer: SessionWriter) => void;

const MODEL = { api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5" } as const;
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: NO_COST };
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 40_000;

export function user(text: string): Step {
  return (writer) => {
    writer.wait(MIN_WAIT_MS, MAX_WAIT_MS);
    const content = [{ type: "text" as const, text }];
    writer.append({ type: "message", message: { role: "user", content, timestamp: writer.time } });
  };
}

export function assistant(text: string): Step {
  return (writer) => append(writer, [{ type: "text", text }]);
}

export function think(thinking: string): Step {
  return (writer) => append(writer, [{ type: "thinking", thinking, thinkingSignature: "" }]);
}

/** A tool call and its result. */
export function tool(name: string, args: ToolCallBlock["arguments"], result: string): Step {
  return (writer) => {
    const toolCallId = `toolu_${writer.entries}`;
    append(writer, [{ type: "toolCall", id: toolCallId, name, arguments: args }], "toolUse");
    writer.wait(MIN_WAIT_MS, MAX_WAIT_MS);
    const content = [{ type: "text" as const, text: result }];
    const message = { role: "toolResult" as const, toolCallId, toolName: name, content, isError: false };
    writer.append({ type: "message", message: { ...message, timestamp: writer.time } });
  };
}

/** A command that the agent ran. */
export function run(command: string, output: string): Step {
  return tool("bash", { command }, output);
}

export function read(path: string, text: string): Step {
  return tool("read", { path }, text);
}

export function edit(path: string, oldText: string, newText: string): Step {
  return tool("edit", { path, edits: [{ oldText, newText }] }, `Successfully replaced 1 block(s) in ${path}.`);
}

/** A command that the person ran in the session. */
export function shell(command: string, output: string): Step {
  return (writer) => {
    const message = {
      role: "bashExecution" as const,
      command,
      output,
      exitCode: 0,
      cancelled: false,
      truncated: false,
    };
    writer.append({ type: "message", message: { ...message, timestamp: writer.time } });
  };
}

export function named(name: string): Step {
  return (writer) => {
    writer.append({ type: "session_info", name });
  };
}

/** Labels the entry before it. */
export function label(text: string): Step {
  return (writer) => {
    const { leaf } = writer;
    if (leaf === null) throw new RangeError("There is no entry to label.");
    writer.append({ type: "label", targetId: leaf, label: text });
  };
}

/** A message of an extension that people see. */
export function note(content: string): Step {
  return (writer) => {
    writer.append({ type: "custom_message", customType: "note", content, display: true });
  };
}

/** The summary that replaces older context. */
export function compaction(summary: string): Step {
  return (writer) => {
    const { leaf } = writer;
    if (leaf === null) throw new RangeError("There is nothing to summarise.");
    writer.append({ type: "compaction", summary, firstKeptEntryId: leaf, tokensBefore: 150_000 });
  };
}

/** What a branch held that was left: a summary at the point to which the session went back. */
export function abandoned(summary: string): Step {
  return (writer) => {
    const { leaf } = writer;
    if (leaf === null) throw new RangeError("There is nothing to leave.");
    writer.append({ type: "branch_summary", fromId: leaf, summary });
  };
}

/** Lines that come again and again, numbered, as in logs. */
export function repeated(lines: readonly string[], times: number): string {
  return Array.from({ length: times }, (_, round) => lines.map((line) => `${round} ${line}`).join("\n")).join("\n");
}

function append(
  writer: SessionWriter,
  content: AssistantMessage["content"],
  stopReason: AssistantMessage["stopReason"] = "stop",
): void {
  writer.wait(MIN_WAIT_MS, MAX_WAIT_MS);
  const message = { role: "assistant" as const, content, ...MODEL, usage: USAGE, stopReason };
  writer.append({ type: "message", message: { ...message, timestamp: writer.time, responseId: "" } });
}
