import { randomUUID } from "node:crypto";
import { LineSplitter } from "@sm/core";

// An agent in RPC mode for pictures: it begins to answer whatever it is asked, and is never done.

const ANSWER = `The limiter counts a request before it is let in, so somebody who is refused keeps their window open:

\`\`\`ts
const used = await store.increment(key, windowMs);
if (used > limit) return refuse(used - limit);
\`\`\`

I move the count behind the check, and let the test ask **twice as often as is allowed** for`;

const MODEL = { provider: "anthropic", id: "claude-sonnet-4-5" };

const sessionId = randomUUID();
const decoder = new TextDecoder();
let isStreaming = false;

const lines = new LineSplitter((bytes) => {
  const {
    id,
    type,
    message = "",
  } = JSON.parse(decoder.decode(bytes)) as { id?: string; type: string; message?: string };
  write({ id, type: "response", command: type, success: true, ...dataOf(type) });
  if (type === "prompt") answer(message);
});

function write(record: object): void {
  process.stdout.write(`${JSON.stringify(record)}\n`);
}

function dataOf(type: string): object {
  if (type === "get_available_models") return { data: { models: [MODEL] } };
  if (type !== "get_state") return {};
  return { data: { model: MODEL, thinkingLevel: "medium", isStreaming, sessionId, pendingMessageCount: 0 } };
}

function answer(prompt: string): void {
  isStreaming = true;
  const said = { role: "user", content: [{ type: "text", text: prompt }], timestamp: Date.now() };
  const message = (text: string) => ({
    ...{ role: "assistant", content: [{ type: "text", text }], provider: MODEL.provider, model: MODEL.id },
    timestamp: Date.now(),
  });
  write({ type: "agent_start" });
  write({ type: "turn_start" });
  write({ type: "message_start", message: said });
  write({ type: "message_end", message: said });
  write({ type: "message_start", message: message("") });
  write({
    type: "message_update",
    assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: ANSWER, partial: message(ANSWER) },
    message: message(ANSWER),
  });
}

process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
process.stdin.on("end", () => process.exit(0));
