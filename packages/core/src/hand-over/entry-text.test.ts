import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import type { TranscriptItem } from "../session/transcript.ts";
import { fittingText } from "./entry-text.ts";
import { type Texts, textsOf } from "./texts.ts";

// Secrets are made here, so that no scanner of the repository takes them for a leak.
const BEGIN = ["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ");
const END = ["-----END RSA", "PRIVATE KEY-----"].join(" ");

/** Lines of base64 that no other seed has. */
function keyBody(seed: string, length: number): string {
  const line = (index: number) => `${seed}${index}`.padEnd(64, "Ab0+Cd1/Ef2");
  return Array.from({ length: length / 65 }, (_, index) => line(index)).join("\n");
}

const key = (seed: string, length: number) => `${BEGIN}\n${keyBody(seed, length)}\n${END}`;

const base = { id: "e1", parent_id: null, timestamp: null };
const output = (text: string) =>
  ({
    ...base,
    kind: "tool_result",
    call_id: null,
    tool_name: "bash",
    is_error: false,
    blocks: [{ kind: "text", text }],
  }) as unknown as TranscriptItem;
const calling = (args: JsonObject) =>
  ({
    ...base,
    kind: "message",
    role: "assistant",
    hidden: false,
    error_message: null,
    blocks: [{ kind: "tool_call", id: "c1", name: "write", arguments: args }],
  }) as unknown as TranscriptItem;

describe("the end of an output shows no key material", () => {
  it.each<[string, (gap: number) => string]>([
    ["of two keys", (gap) => `${key("First", 13_000)}\n${key("Second", 900)}\n${"done ".repeat(gap)}`],
    ["of one long key", (gap) => `${key("First", 13_000)}\n${"done ".repeat(gap)}`],
    [
      "of keys that leave little of what is read",
      (gap) => `${keyBody("First", 13_000)}\n${key("Second", 3_600)}\n${"done ".repeat(gap)}`,
    ],
  ])("%s", (_case, outputOf) => {
    for (let gap = 0; gap < 900; gap += 25) {
      const text = `${"word ".repeat(2_000)}\n${outputOf(gap)}`;
      const shown = fittingText(output(text), textsOf({ redacts: true }, null), { limit: 2_000 })?.text;
      expect(shown).not.toMatch(/First\d|Second\d/);
    }
  });

  it("and still tells of errors", () => {
    const text = `${"word ".repeat(3_000)}\n${key("First", 900)}\nmake: *** Error 2`;
    const shown = fittingText(output(text), textsOf({ redacts: true }, null), { limit: 2_000 })?.text;
    expect(shown).toContain("[redacted:private-key-1]\nmake: *** Error 2");
  });
});

describe("the arguments of a call", () => {
  /** Counts the texts that are redacted. */
  function counting() {
    const texts = textsOf({ redacts: true }, null);
    let length = 0;
    const counted: Texts = {
      ...texts,
      value: (value, entryId) => {
        length += JSON.stringify(value).length;
        return texts.value(value, entryId);
      },
    };
    return { texts: counted, length: () => length };
  }

  it.each<[string, unknown]>([
    ["of short texts", "some text"],
    ["of empty texts", ""],
    ["of numbers", 1],
    ["of nothing", []],
  ])("take work for what is shown, be they three levels %s", (_case, leaf) => {
    const of = (value: unknown) => Array.from({ length: 60 }, () => value);
    const { texts, length } = counting();
    const read = fittingText(calling({ input: of(of(of(leaf))) } as JsonObject), texts, { limit: 1_000 });
    expect(read?.text).toMatch(/^\[calls write\] \{"input":\[\[\[/);
    expect(read?.text.length).toBeGreaterThan(500);
    expect(read?.left).toBeGreaterThan(0);
    // Twice, where quotes make it longer as JSON than there is room.
    expect(length()).toBeLessThan(2 * 4_000);
  });

  it("are shown whole where there is room", () => {
    const args = { path: "src/a.ts", edits: [{ from: "a", to: 1 }, null, true], nested: { deep: [[[]]] } };
    const read = fittingText(calling(args), textsOf({ redacts: true }, null), { limit: 1_000 });
    expect(read).toMatchObject({ text: `[calls write] ${JSON.stringify(args)}`, left: 0 });
  });

  it("show no beginning of a secret that is cut", () => {
    const token = ["ghp", "0123456789abcdefghijklmnopqrstuvwxyz"].join("_");
    // Redaction shrinks what comes first, so that the cut is shown.
    const read = (length: number) => {
      const args = { first: key("First", 2_340), second: `${"w ".repeat(length)}${token} and more` };
      return fittingText(calling(args), textsOf({ redacts: true }, null), { limit: 2_000 })?.text;
    };
    for (let length = 700; length < 900; length++) expect(read(length)).not.toMatch(/ghp_/);
  });
});

describe("an entry that is read in order", () => {
  const email = (index: number) => `somebody.with.a.long.name.${index}@mail.tidewater-harbour-office.test`;
  const emails = Array.from({ length: 400 }, (_, index) => `${email(index % 40)} wrote`).join("\n");
  const several = {
    ...output(""),
    blocks: [
      { kind: "text", text: `${key("First", 13_000)}\n${"one ".repeat(900)}` },
      { kind: "text", text: emails },
      { kind: "tool_call", id: null, name: "write", arguments: { first: key("Second", 13_000), second: emails } },
      { kind: "text", text: `${"last ".repeat(500)}${key("Third", 650)} the end` },
    ],
  } as unknown as TranscriptItem;
  const read = (item: TranscriptItem, offset: number, limit: number) =>
    fittingText(item, textsOf({ redacts: true }, null), { offset, limit, inOrder: true });

  it.each<[string, TranscriptItem, number]>([
    ["of several pieces", several, 900],
    ["of several pieces", several, 3_000],
    ["of one with little but secrets", output(`${emails}\n${key("First", 40_000)}\n${emails}`), 1_500],
    ["of arguments", calling({ input: emails, more: [key("First", 13_000), emails, 1, null] }), 1_500],
  ])("%s is shown whole, each character once, in pieces", (_case, item, limit) => {
    const whole = read(item, 0, 100_000);
    expect(whole?.left).toBe(0);
    let text = "";
    for (let answers = 0; answers < 100; answers++) {
      const piece = read(item, text.length, limit);
      text += piece?.text ?? "";
      if (piece === null || piece.left === 0) break;
      expect(piece.text).not.toBe("");
    }
    // Answers number keys apart: a piece of one counts as another.
    const unnumbered = (shown = "") => shown.replaceAll(/private-key-\d/g, "private-key");
    expect(unnumbered(text)).toBe(unnumbered(whole?.text));
  });

  it("is read to a bound, whatever redaction leaves of it", () => {
    const texts = textsOf({ redacts: true }, null);
    let length = 0;
    const count = (text: string) => {
      length += text.length;
      return text;
    };
    const counted: Texts = {
      ...texts,
      whole: (text) => texts.whole(count(text)),
      beginning: (text) => texts.beginning(count(text)),
    };
    const blocks = Array.from({ length: 30 }, () => ({ kind: "text", text: key("First", 60_000) }));
    const item = { ...output(""), blocks } as unknown as TranscriptItem;
    const shown = fittingText(item, counted, { limit: 1_500, inOrder: true });
    expect(shown?.left).toBeGreaterThan(0);
    expect(length).toBeLessThan(3 * 131_072);
  });
});
