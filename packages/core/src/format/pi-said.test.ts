import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { rawLine } from "../node/raw-line.fixture.ts";
import { parseLine } from "../session/jsonl.ts";
import { piFormat } from "./pi.ts";

const FILLER = "lorem ipsum ".repeat(60);
const USAGE = {
  input: 589,
  output: 395,
  cacheRead: 184,
  cacheWrite: 1977,
  totalTokens: 3145,
  cost: { input: 0.002945, output: 0.009875000000000002, cacheRead: 9.2e-5, cacheWrite: 0.012, total: 2.5e-7 },
};
const ANSWER = { api: "some-messages", provider: "some", model: "some-model-4.5", usage: USAGE, stopReason: "stop" };
const text = (said: string) => ({ type: "text", text: said });
const call = (name: string, args: JsonObject = { path: "a" }) => ({ type: "toolCall", id: "c", name, arguments: args });
const thinking = { type: "thinking", thinking: FILLER, thinkingSignature: "H2m3/+=" };
const image = { type: "image", data: "aGFsbG8=", mimeType: "image/png" };

/** A line as the agent writes it. */
function lineOf(message: JsonObject): string {
  const place = { id: "b", parentId: "a", timestamp: "2026-03-01T10:00:01.000Z" };
  return JSON.stringify({ type: "message", ...place, message });
}

const user = (content: JsonObject[]) => lineOf({ role: "user", content, timestamp: 5 });
const assistant = (content: JsonObject[], answer: JsonObject = ANSWER) =>
  lineOf({ role: "assistant", content, ...answer, timestamp: 5, responseId: "r" });

/** The facts without and with parsing. */
function factsOf(line: string) {
  const parsed = parseLine(line);
  return {
    skimmed: piFormat.skim?.(rawLine(line)) ?? null,
    parsed: parsed === null ? null : piFormat.facts(parsed),
  };
}

describe("a long message", () => {
  it.each<[string, string]>([
    ["of the user", user([text(FILLER)])],
    ["with white space before", user([text("  \n "), text(`\n\t ${FILLER}`)])],
    ["with an image", user([text(FILLER), image])],
    ["with quotes, escapes and letters of several bytes", user([text(`"\\"\né漢字🦉 ${FILLER}`)])],
    ["in short pieces", user([text("one"), text(""), text("two"), image, text("three"), { ...image, data: FILLER }])],
    ["of several bytes a letter", user([text("漢字🦉".repeat(400))])],
    ["that quotes a line", user([text(`${lineOf({ role: "user" })} ${FILLER}`)])],
    ["of an assistant", assistant([text(FILLER)])],
    ["that thinks and calls", assistant([thinking, text("I look."), call("read"), call("some.tool:x")])],
    ["without text", assistant([thinking])],
    ["with nothing", assistant([], { ...ANSWER, stopReason: FILLER.slice(0, 400) })],
    ["with CRLF", `${assistant([text(FILLER), call("bash")])}\r`],
    ["of the first version", assistant([text(FILLER)]).replace(/"id":.*?"timestamp"/, '"timestamp"')],
  ])("is not parsed for the record: %s", (_, line) => {
    const { skimmed, parsed } = factsOf(line);
    expect(skimmed).not.toBeNull();
    expect(skimmed).toEqual(parsed);
  });

  it.each<[string, string]>([
    ["its content is a string", lineOf({ role: "user", content: FILLER, timestamp: 5 })],
    ["what is said begins with much white space", user([text(" ".repeat(2000) + FILLER)])],
    ["it is escaped letter by letter", user([text("\u0001".repeat(400))])],
    ["a block is unknown", user([{ type: "video", data: FILLER }])],
    ["its fields are in another order", user([{ text: FILLER, type: "text" }])],
    ["arguments hold blocks", assistant([call("write", { blocks: [text(FILLER)] })])],
    ["the name of a tool is none", assistant([call('a "tool"', { path: FILLER })])],
    ["its usage has other fields", assistant([text(FILLER)], { ...ANSWER, usage: { ...USAGE, more: 1 } })],
    ["it failed", assistant([text(FILLER)], { ...ANSWER, usage: null })],
    ["it is very long", user([text(FILLER), { ...image, data: "A".repeat(70_000) }])],
    ["more follows on the line", assistant([text(FILLER)]) + assistant([text(FILLER)])],
    ["it is torn", assistant([text(FILLER)]).slice(0, -1)],
  ])("is parsed where %s", (_, line) => {
    expect(factsOf(line).skimmed).toBeNull();
  });

  it("tells what parsing tells, whatever it says", () => {
    const said = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.constantFrom("", " ", "\n", '"', "\\", '{"type":"text","text":"', '"},{"type":"image"', '],"api":"', "\ud83e"),
      fc.constantFrom(FILLER, FILLER.slice(0, 299), FILLER.slice(0, 304), "漢".repeat(301), "🦉".repeat(151)),
    );
    const texts = fc.array(said, { maxLength: 4 }).map((pieces) => text(pieces.join("")));
    const args = fc.dictionary(fc.string(), fc.oneof(said, fc.integer(), fc.constant(null)));
    const calls = fc.tuple(fc.constantFrom("read", "bash", "é", ""), args).map(([name, value]) => call(name, value));
    const content = fc.array(fc.oneof(texts, calls, fc.constantFrom(thinking, image)), { maxLength: 5 });
    const cost = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
    const answer = fc.record({ tokens: fc.nat(), cost }).map(({ tokens, cost }) => ({
      ...ANSWER,
      usage: { ...USAGE, input: tokens, totalTokens: tokens, cost: { ...USAGE.cost, total: cost } },
    }));
    const line = fc.oneof(
      content.map(user),
      fc.tuple(content, answer).map(([blocks, rest]) => assistant(blocks, rest)),
    );
    let skimmedLines = 0;
    fc.assert(
      fc.property(line, (json) => {
        const { skimmed, parsed } = factsOf(json);
        if (skimmed === null) return;
        skimmedLines++;
        expect(skimmed).toEqual(parsed);
      }),
      { numRuns: 2000 },
    );
    expect(skimmedLines).toBeGreaterThan(400);
  });
});
