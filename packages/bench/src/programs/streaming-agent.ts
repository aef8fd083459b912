import { randomUUID } from "node:crypto";
import { LineSplitter } from "@sm/core";

// An agent in RPC mode that answers every prompt with a stream of deltas, as version 0.74.2 writes them: each repeats
// the whole message. A delta holds the time at which it was written.

const MESSAGES = 10;
const DELTAS_PER_MESSAGE = 100;
const INTERVAL_MS = 20;

const sessionId = randomUUID();
const decoder = new TextDecoder();
const lines = new LineSplitter((bytes) => {
  const { id, type } = JSON.parse(decoder.decode(bytes)) as { id?: string; type: string };
  write({ id, type: "response", command: type, success: true, ...(type === "get_state" ? { data: state() } : {}) });
  if (type === "prompt") stream();
});
let isStreaming = false;

function write(record: object): void {
  process.stdout.write(`${JSON.stringify(record)}\n`);
}

function state(): object {
  const model = { provider: "bench", id: "bench-1" };
  return { model, thinkingLevel: "off", isStreaming, sessionId, pendingMessageCount: 0 };
}

function stream(): void {
  isStreaming = true;
  write({ type: "agent_start" });
  let text = "";
  let deltas = 0;
  const message = () => ({ role: "assistant", content: [{ type: "text", text }], provider: "bench", model: "bench-1" });
  const timer = setInterval(() => {
    if (text === "") write({ type: "message_start", message: message() });
    const delta = `${performance.timeOrigin + performance.now()} `;
    text += delta;
    deltas++;
    const assistantMessageEvent = { type: "text_delta", contentIndex: 0, delta, partial: message() };
    write({ type: "message_update", assistantMessageEvent, message: message() });
    if (deltas % DELTAS_PER_MESSAGE > 0) return;
    write({ type: "message_end", message: message() });
    text = "";
    if (deltas < MESSAGES * DELTAS_PER_MESSAGE) return;
    clearInterval(timer);
    isStreaming = false;
    write({ type: "agent_end", messages: [] });
  }, INTERVAL_MS);
}

process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
process.stdin.on("end", () => process.exit(0));
