import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cutToWidth, displayWidth, wrap } from "./width.ts";

describe("displayWidth", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["Grüße", 5],
    ["e\u0301", 1],
    ["レシピ", 6],
    ["한국어", 6],
    ["（全角）", 8],
    ["ﾊﾝｶｸ", 4],
    ["👍", 2],
    ["👩‍👩‍👧", 2],
    ["❤️", 2],
    ["🇩🇪", 2],
    ["…–“”", 4],
    ["\u200d", 0],
  ])("of %s is %i", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it("of the characters of Unicode, and of sequences, is that of string-width", () => {
    const sequences = [
      "1️⃣",
      "1\u20e3",
      "☝🏽",
      "✌",
      "✌️",
      "🇩",
      "👨‍👩‍👧‍👦",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
      "हिन्दी",
      "நி",
      "ก็",
      "ﾊﾟ",
      "각각",
      "각".normalize("NFD"),
      "ga\u0304",
    ];
    // Of 110,000 ideographs and syllables in long rows, each sixteenth.
    const isInRow = (character: string) => /[\p{Unified_Ideograph}\uac00-\ud7a3]/u.test(character);
    const characters = Array.from({ length: 0x110000 - 0xa0 }, (_, at) => at + 0xa0)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .filter((code) => code % 16 === 0 || !isInRow(String.fromCodePoint(code)))
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /[^\p{Cn}\p{Co}]/u.test(character));
    expect(characters.length).toBeGreaterThan(40_000);
    const others = [...characters, ...sequences].filter((text) => displayWidth(text) !== stringWidth(text));
    expect(others).toEqual([]);
  });
});

describe("cutToWidth", () => {
  it.each([
    ["short", 5, "short"],
    ["longer", 5, "long…"],
    ["レシピ", 6, "レシピ"],
    ["レシピ検索", 6, "レシ…"],
    ["a👩‍👩‍👧b", 3, "a…"],
    ["a👍b", 4, "a👍b"],
    ["ab", 1, "…"],
  ])("cuts %s to %i columns", (text, columns, cut) => {
    expect(cutToWidth(text, columns)).toBe(cut);
  });

  it("never takes more columns, nor half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
        const cut = cutToWidth(text, columns);
        expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
        expect(cut).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});

describe("wrap", () => {
  const lines = (text: string, columns: number) => wrap(text, columns).map(([start, end]) => text.slice(start, end));

  it.each([
    ["", 5, []],
    ["one two three", 8, ["one two ", "three"]],
    ["one two three", 7, ["one two ", "three"]],
    ["unbreakable", 4, ["unbr", "eaka", "ble"]],
    ["a unbreakable", 6, ["a ", "unbrea", "kable"]],
    ["レシピ検索", 4, ["レシ", "ピ検", "索"]],
    ["abc漢字", 5, ["abc漢", "字"]],
    ["abcd漢字", 5, ["abcd", "漢字"]],
    ["abc 漢字漢字", 8, ["abc 漢字", "漢字"]],
    ["हिन्दी हिन्दी", 4, ["हिन्दी ", "हिन्दी"]],
  ])("breaks %j at %i columns", (text, columns, expected) => {
    expect(lines(text, columns)).toEqual(expected);
  });

  it("loses nothing and fills no line too far", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "漢", "👍", "é") });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 12 }), (written, columns) => {
        const broken = lines(written, columns);
        expect(broken.join("")).toBe(written);
        for (const line of broken) expect(displayWidth(line.trimEnd())).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
