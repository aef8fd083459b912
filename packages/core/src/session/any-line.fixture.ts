import fc from "fast-check";

const word = fc.constantFrom("a", "hello world", "", "\u2028", "\ud800", "__proto__", "漢字", "x".repeat(300), "1e999");
const id = fc.constantFrom(
  "1",
  "2",
  "3",
  "4",
  "5",
  "@0",
  "@1",
  "__proto__",
  "constructor",
  "",
  "deadbeef",
  "é\ud83d\ude42",
);
const value = fc.oneof(word, fc.constantFrom(null, true, 0, -1.5, 1e300, [], {}, ["a"], { text: "a" }), id);
const block = fc.oneof(
  fc.record({ type: fc.constantFrom("text", "thinking", "toolCall", "image", "new"), text: value, thinking: value }),
  fc.record({ type: fc.constant("toolCall"), id: value, name: value, arguments: value }),
  value,
);
const usage = fc.oneof(
  fc.record({ input: value, output: value, cacheWrite1h: value, reasoning: value, totalTokens: value, cost: value }),
  value,
);
const nestedCalls = fc.oneof(
  fc.record({ calls: fc.array(fc.record({ name: value, status: fc.constantFrom("ok", "error") }), { maxLength: 2 }) }),
  value,
);
const message = fc.record(
  {
    role: fc.oneof(fc.constantFrom("user", "assistant", "toolResult", "bashExecution", "custom", "system"), value),
    content: fc.oneof(word, fc.array(block, { maxLength: 3 }), value),
    usage,
    nestedCalls,
    model: value,
    provider: value,
    timestamp: value,
    command: value,
    output: value,
    exitCode: value,
    toolCallId: value,
    toolName: value,
    details: value,
    fullOutputPath: value,
    errorMessage: value,
    display: value,
  },
  { requiredKeys: [] },
);
const time = fc.oneof(
  fc.constantFrom("2026-03-01T10:00:00.000Z", "0000-01-01T00:00:00Z", "never", "9999-12-31"),
  value,
);
/** A line of a session file: what an agent writes, and what none does. */
export const anyLine = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom("session", "message", "label", "session_info", "compaction", "branch_summary", "custom_message"),
      fc.constantFrom("usage", "model_change", "context_edit"),
      value,
    ),
    id: fc.oneof(id, value),
    parentId: fc.oneof(id, fc.constant(null), value),
    timestamp: time,
    message: fc.oneof(message, value),
    name: value,
    targetId: value,
    label: value,
    summary: value,
    usage,
    model: value,
    modelId: value,
    provider: value,
    content: value,
    version: fc.oneof(fc.constantFrom(1, 2, 3, 4), value),
    cwd: value,
    parentSession: value,
  },
  { requiredKeys: ["type"] },
);
