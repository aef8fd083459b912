import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible, visibleJson, visibleLines } from "./visible.ts";

/** Everything that a terminal may obey, or that it does not show. */
const DANGEROUS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u;

describe("visible", () => {
  it.each([
    ["a colour", "\x1b[31mred", "␛[31mred"],
    ["a title of the window", "\x1b]0;owned\x07", "␛]0;owned␇"],
    ["the clipboard (OSC 52)", "\x1b]52;c;cm0gLXJmIH4=\x1b\\", "␛]52;c;cm0gLXJmIH4=␛\\"],
    ["a sequence that begins with one 8-bit character", "\u009b2J\u009d0;x\u009c", "\ufffd2J\ufffd0;x\ufffd"],
    ["a line that is written over", "safe\rrm -rf", "safe␍rm -rf"],
    ["more lines than there should be", "one\ntwo\u2028three", "one␊two\ufffdthree"],
    ["characters that are taken back", "ls\b\b\x7f", "ls␈␈␡"],
    ["text that is turned around", "\u202egpj.exe\u2066x\u2069", "\ufffdgpj.exe\ufffdx\ufffd"],
    ["what has no width", "a\u200bb\ufeffc\u00add\u3164e", "a\ufffdb\ufffdc\ufffdd\ufffde"],
    ["NUL and tabs", "\0\t", "␀␉"],
    ["half a surrogate pair", "\ud83d!", "\ufffd!"],
    ["letters that nobody sees", "a\u{e0041}b", "a\ufffdb"],
  ])("marks %s", (_what, text, marked) => {
    expect(visible(text)).toBe(marked);
  });

  it.each(["plain", "Grüße", "レシピ", "👩‍👩‍👧 ❤️ 🇩🇪", "می‌خواهم", "שלום", "e\u0301"])("leaves %s alone", (text) => {
    expect(visible(text)).toBe(text);
  });

  it("lets nothing through", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !DANGEROUS.test(visible(text))));
  });
});

describe("visibleLines", () => {
  it("keeps lines and tabs, and nothing else", () => {
    expect(visibleLines("a\tb\r\nc\rd\n\x1b[2J")).toBe("a\tb\nc␍d\n␛[2J");
  });
});

describe("visibleJson", () => {
  it("escapes, so that the value stays the same", () => {
    const value = { "k\u009b": ["\x1b[0m\r\n", "\u202e\u{e0041}", "\u2028\x7f", "レ👍"] };
    const json = visibleJson(value);
    expect(DANGEROUS.test(json.replaceAll("\n", ""))).toBe(false);
    expect(json).toContain("\\u009b");
    expect(json).toContain("レ👍");
    expect(JSON.parse(json)).toEqual(value);
  });

  it("is safe and the same for any value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const json = visibleJson(value);
        expect(DANGEROUS.test(json.replaceAll("\n", ""))).toBe(false);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
