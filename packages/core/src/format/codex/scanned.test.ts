import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import { JsonScanner } from "../../node/session-file/json-scanner.ts";
import { codexFormat } from "./codex.ts";

const scanner = new JsonScanner();
const TIME = "2026-03-01T10:00:01.234Z";
const HEADER = { header: { timestamp: 1 } as never, newestId: null, has: () => false };
const SPACES = " \n".repeat(200);

function itemLine(payload: JsonObject): JsonObject {
  return { timestamp: TIME, type: "response_item", payload };
}

function answer(...texts: string[]): JsonObject {
  const content = texts.map((text) => ({ type: "output_text", text }));
  return itemLine({ type: "message", role: "assistant", content });
}

function result(output: string): JsonObject {
  return itemLine({ type: "function_call_output", call_id: "c", output });
}

/** What a line tells, parsed and scanned; `null` where it must be parsed. */
function told(line: JsonObject) {
  const bytes = Buffer.from(JSON.stringify(line));
  const scanned = scanner.scan(bytes);
  const newReader = () => {
    const reader = codexFormat.reader(null);
    reader.read(itemLine({ type: "function_call", call_id: "c", name: "shell", arguments: "{}" }), HEADER);
    return reader;
  };
  const withExcerpt = (facts: ReturnType<ReturnType<typeof newReader>["read"]> | null) =>
    facts === null ? null : { ...facts, entry: facts.entry && { ...facts.entry, excerpt: facts.entry.excerpt() } };
  return {
    parsed: withExcerpt(newReader().read(line, HEADER)),
    scanned: scanned === null ? null : withExcerpt(newReader().readScanned?.(scanned, HEADER) ?? null),
  };
}

describe("a line that is not parsed", () => {
  it.each<[string, JsonObject]>([
    ["an answer", answer("I look")],
    ["an answer in several blocks", answer("", "one", "", "two")],
    ["an answer of spaces", answer(" \n ")],
    ["an answer that is longer than its excerpt", answer('é 漢字 🦉 " '.repeat(200))],
    ["an answer whose excerpt is in two blocks", answer("a".repeat(290), "🦉".repeat(50))],
    ["an answer without content", itemLine({ type: "message", role: "assistant", content: [] })],
    ["a result", result("Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 1")],
    ["a result that failed", result("Exit code: 2\nWall time: 1 seconds\nOutput:\nall")],
    ["a result that failed, told late", result(`x${"\u0001".repeat(400)}\nExit code: 2`)],
    ["a result that tells of an output by an escaped letter", result("x\\nOutput:\nExit code: 3")],
    ["a result that was refused", result("failed to parse function arguments: x")],
  ])("tells the same of %s", (_, line) => {
    const { parsed, scanned } = told(line);
    expect(scanned).toEqual(parsed);
  });

  it("is none where an answer begins with more space than an excerpt has", () => {
    expect(told(answer(`${SPACES}${SPACES}text`)).scanned).toBeNull();
  });

  it("never tells otherwise", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom(
        "\nOutput:",
        "\nExit code: 1",
        "Process exited with code 2\n",
        "\\",
        " ",
        "a".repeat(120),
        SPACES,
      ),
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    const line = fc.oneof(
      fc.array(text, { maxLength: 3 }).map((texts) => answer(...texts)),
      text.map((output) => result(output)),
    );
    fc.assert(
      fc.property(line, (one) => {
        const { parsed, scanned } = told(one);
        if (scanned !== null) expect(scanned).toEqual(parsed);
      }),
      { numRuns: 1000 },
    );
  });
});
