import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonScanner } from "../../node/session-file/json-scanner.ts";
import { written } from "../../node/session-file/json-text.fixture.ts";
import { anyLine } from "../../session/any-line.fixture.ts";
import { parseLine } from "../../session/jsonl.ts";
import type { EntryFacts } from "../format.ts";
import { piFormat } from "./pi.ts";

const scanner = new JsonScanner();
const NO_SESSION = { header: null, newestId: null, has: () => false };

/** Facts with what they would tell when they are asked. */
function told(facts: EntryFacts) {
  return { ...facts, excerpt: facts.excerpt() };
}

function scannedFacts(bytes: Uint8Array) {
  const line = scanner.scan(bytes);
  const facts = line === null ? null : (piFormat.reader(null).readScanned?.(line, NO_SESSION)?.entry ?? null);
  return facts === null ? null : told(facts);
}

const place = { type: "message", id: "0000000b", parentId: "0000000a", timestamp: "2026-03-01T10:00:01.234Z" };
const cost = { input: 0.0125, output: 0.25, cacheRead: 1e-7, cacheWrite: 0, total: 0.2625001 };
const usage = {
  input: 5,
  output: 6,
  cacheRead: 7,
  cacheWrite: 8,
  totalTokens: 99,
  reasoning: 4,
  cacheWrite1h: 3,
  cost,
};
const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: "ls", list: [{ type: "toolCall" }] } };
const answer = {
  role: "assistant",
  content: [{ type: "text", text: "I look" }, call, call],
  model: "m",
  provider: "p",
};

describe("a message", () => {
  it.each<[string, object]>([
    ["of a user", { ...place, message: { role: "user", content: "Where is it?" } }],
    ["of a user, in blocks", { ...place, message: { role: "user", content: [{ type: "text", text: " a\nb " }] } }],
    ["of nothing but space", { ...place, message: { role: "user", content: [{ type: "text", text: "\u00a0\n " }] } }],
    [
      "of several texts",
      { ...place, message: { ...answer, content: ["", "é", "\n", "x"].map((text) => ({ type: "text", text })) } },
    ],
    ["longer than its excerpt", { ...place, message: { role: "user", content: "漢字 🦉 ".repeat(500) } }],
    ["of an assistant", { ...place, message: { ...answer, usage } }],
    [
      "without a total",
      {
        ...place,
        message: { ...answer, usage: { ...usage, totalTokens: undefined, cost: { ...cost, total: undefined } } },
      },
    ],
    [
      "with long numbers",
      {
        ...place,
        message: {
          ...answer,
          usage: { input: 1234567890123456800, output: 0.12345678901234568, cost: { total: 1e-9 } },
        },
      },
    ],
    [
      "with odd numbers",
      { ...place, message: { ...answer, usage: { input: "1", output: -0, cacheRead: null, cost: [] } } },
    ],
    ["that another session has", { ...place, message: { ...answer, usage: { ...usage, countedElsewhere: true } } }],
    ["of a tool", { ...place, message: { role: "toolResult", toolName: "read", content: [], isError: false } }],
    ["of a tool that failed", { ...place, message: { role: "toolResult", toolName: "read", isError: true } }],
    ["of a tool that used a model", { ...place, message: { role: "toolResult", toolName: "look", usage } }],
    ["of a provider that was renamed", { ...place, message: { ...answer, provider: "azure-openai-responses", usage } }],
    ["that is not finished", { ...place, message: { ...answer, stopReason: "deferred", usage } }],
    ["without an id", { ...place, id: undefined, parentId: undefined, message: answer }],
    ["that is a root", { ...place, parentId: null, message: answer }],
  ])("%s is told as if it were parsed", (_, entry) => {
    const json = JSON.stringify(entry);
    expect(scannedFacts(Buffer.from(json))).toEqual(told(piFormat.facts(JSON.parse(json))));
  });

  it.each<[string, object]>([
    ["no message", { type: "model_change", timestamp: place.timestamp, modelId: "m" }],
    ["no time", { ...place, timestamp: 5, message: answer }],
    ["another form of time", { ...place, timestamp: "2026-03-01T10:00:01Z", message: answer }],
    ["a time that is none", { ...place, timestamp: "2026-13-01T10:00:01.000Z", message: answer }],
    ["nested calls", { ...place, message: { role: "toolResult", nestedCalls: { calls: [] } } }],
    ["another role", { ...place, message: { role: "bashExecution", command: "ls" } }],
    ["an id with other letters", { ...place, id: "é", message: answer }],
  ])("is parsed where it has %s", (_, entry) => {
    expect(scannedFacts(Buffer.from(JSON.stringify(entry)))).toBeNull();
  });

  it("is never told otherwise", () => {
    let tried = 0;
    let scanned = 0;
    const block = fc.record({
      type: fc.constantFrom("text", "toolCall", "image"),
      text: fc.string(),
      name: fc.constantFrom("", "a"),
    });
    const message = fc.record(
      {
        role: fc.constantFrom("user", "assistant", "toolResult"),
        content: fc.oneof(fc.string(), fc.array(block)),
        isError: fc.constantFrom(true, false, 1),
        toolName: fc.constantFrom("read", "", null),
        usage: fc.record(
          {
            input: fc.double(),
            output: fc.nat(),
            cacheWrite: fc.nat(),
            totalTokens: fc.nat(),
            reasoning: fc.nat(),
            cost: fc.record({ total: fc.double() }),
            countedElsewhere: fc.constantFrom(true, false, 1),
          },
          { requiredKeys: ["input", "cost"] },
        ),
        model: fc.constantFrom("m", "", 1),
        provider: fc.constantFrom("azure-openai-responses", "azure", "", 1),
        nestedCalls: fc.record({
          calls: fc.array(fc.record({ name: fc.constantFrom("read", ""), status: fc.constantFrom("ok", "error") })),
        }),
      },
      { requiredKeys: ["role"] },
    );
    const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") });
    const entry = fc.record({
      ...Object.fromEntries(Object.entries(place).map(([key, value]) => [key, fc.constant(value)])),
      timestamp: fc.oneof(
        time.map((date) => date.toISOString()),
        fc.constant(place.timestamp),
      ),
      message,
    });
    fc.assert(
      fc.property(written(fc.oneof(entry, entry, anyLine)), (bytes) => {
        tried++;
        const facts = scannedFacts(bytes);
        if (facts === null) return;
        scanned++;
        expect(facts).toEqual(told(piFormat.facts(parseLine(bytes.toString()) ?? {})));
      }),
      { numRuns: 3000 },
    );
    expect(scanned).toBeGreaterThan(tried / 10);
  });
});
