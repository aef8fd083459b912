import {
  containsFolded,
  countCharacters,
  findFolded,
  type PieceMatch,
  partsUnder,
  substringPieces,
} from "@sm/text-index/analysis";
import { anyText } from "@sm/text-index/any-text.fixture";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryIndex } from "./memory-index.fixture.ts";

function finds(pattern: string, text: string): boolean {
  return new MemoryIndex([text]).select({ type: "substring", text: pattern }).length === 1;
}

describe("substringPieces", () => {
  const signs: Record<PieceMatch, [before: string, after: string]> = {
    within: ["*", "*"],
    beginning: ["", "*"],
    end: ["*", ""],
    whole: ["", ""],
  };

  it.each([
    ["serna", "*serna*", true],
    ["SerNa", "*serna*", true],
    ["größ", "*gross*", true],
    ["get-user_na", "*get user na*", false],
    ["(foo", "foo*", false],
    ["foo)", "*foo", false],
    [".foo.", "foo", false],
    ["a\n  b c", "*a b c*", false],
    ["v1.20", "*v1 20*", false],
    ["中文字", "*中文 文字*", true],
    ["中文字。", "*中文 文字 字", false],
    ["x中文", "*x 中文*", false],
    ["x中", "*x 中*", false],
    ["文React", "*文 react*", false],
    ["ok✓done", "*ok ✓ done*", false],
    ["──✓─", "*─ ✓ ─*", false],
    ["---", "", false],
    [`${"a".repeat(64)}b`, `*${"a".repeat(32)}*`, false],
    [`${"a".repeat(64)}b.c`, "c*", false],
    [`c.${"a".repeat(64)}b`, `*c ${"a".repeat(64)}*`, false],
    [`c.${"a".repeat(64)}b.d`, `*c ${"a".repeat(64)} d*`, false],
  ])("tells how %s meets the terms", (pattern, expected, isExact) => {
    const found = substringPieces(pattern);
    const shown = found.pieces.map(({ text, match }) => {
      const [before, after] = signs[match];
      return `${before}${text}${after}`;
    });
    expect(shown.join(" ")).toBe(expected);
    expect(found.isExact).toBe(isExact);
  });
});

describe("partsUnder", () => {
  const identifier = "id:getusername get user name";

  it.each<[PieceMatch, string, string[]]>([
    ["within", "sern", ["user name"]],
    ["within", "tusern", ["get user name"]],
    ["within", "user", []],
    ["within", "id", []],
    ["beginning", "getuse", ["get user"]],
    ["beginning", "username", []],
    ["end", "username", ["user name"]],
    ["end", "tuse", []],
    ["whole", "getusername", ["get user name"]],
    ["whole", "getuser", []],
  ])("lists the parts of getUserName that %s %s crosses", (match, text, expected) => {
    expect(partsUnder({ text, match }, identifier).map((parts) => parts.join(" "))).toEqual(expected);
  });

  it("looks at every place of a piece", () => {
    expect(partsUnder({ text: "aba", match: "within" }, "id:ababaaba ab abaa ba")).toEqual([
      ["ab", "abaa"],
      ["abaa", "ba"],
    ]);
    expect(partsUnder({ text: "aa", match: "end" }, "id:aaa a a a")).toEqual([["a", "a"]]);
  });
});

describe("countCharacters", () => {
  it.each([
    ["abc", 3],
    [" a \n- b ", 5],
    ["C++", 3],
    ["=>", 2],
    ["中文字", 3],
    ["x中文 é", 5],
    ["e\u0301\u200d", 1],
    ["😀👍x", 3],
    ["…", 0],
  ])("counts in %s what is compared", (pattern, expected) => {
    expect(countCharacters(pattern)).toBe(expected);
  });
});

describe("finding substrings", () => {
  it.each([
    ["sername", "let x = getUserName(user)"],
    ["tUserN", "let x = getUserName(user)"],
    ["x = getu", "let x = getUserName(user)"],
    ["Name(us", "let x = getUserName(user)"],
    ["ername(user", "let x = getUserName(userId)"],
    ["xconfig", "the maxConfigSize"],
    ["eadbee", "0xDEADBEEF"],
    ["xdead", "0xDEADBEEF"],
    ["1t0", "at 2026-11-21T03:00Z"],
    ["v2.1", "release-v2.10"],
    ["ser_name", "get_user_name"],
    ["end of line", "at the end of\n\t line"],
    ["TRASS", "Hauptstraße"],
    ["hauptstraß", "HAUPTSTRASSE"],
    ["naïveb", "NaiveBayes"],
    ["文搜索r", "用中文搜索React"],
    ["文搜索", "用中文搜索React"],
    ["it’s", "and it’s so"],
    ["a".repeat(65), `x${"a".repeat(90)}`],
    ["C++", "written in c++17"],
    ["===", "if (a === b)"],
    ["|| [", "name || []"],
  ])("finds %s in %s", (pattern, text) => {
    expect(finds(pattern, text)).toBe(true);
  });

  it.each([
    ["sername", "user_name userName".replace("userName", "name")],
    ["sername", "user name"],
    ["a.b.c", "a b c"],
    ["foo.bar", "foo_bar"],
    ["foo-", "foobar foo"],
    ["文字搜", "中文 字搜"],
    ["--- x", "abc"],
  ])("does not find %s in %s", (pattern, text) => {
    expect(finds(pattern, text)).toBe(false);
  });

  const few = fc.string({ unit: fc.constantFrom(..."aBb1V. _-é中文字✓─\n"), maxLength: 16 });

  it("finds exactly the texts that contain the pattern", () => {
    let tried = 0;
    let found = 0;
    fc.assert(
      fc.property(few, fc.string({ unit: fc.constantFrom(..."ab1v. _é中文✓"), maxLength: 4 }), (text, pattern) => {
        fc.pre(countCharacters(pattern) > 0);
        tried += 1;
        const isFound = finds(pattern, text);
        expect(isFound).toBe(containsFolded(text, pattern));
        found += Number(isFound);
      }),
      { numRuns: 5000 },
    );
    expect(found).toBeGreaterThan(tried / 50);
  });

  it("tells of a text in pieces what it tells of the whole", () => {
    const runs = fc.constantFrom(" \n".repeat(40), "─".repeat(40), "\u0301".repeat(40));
    const fragments = fc.array(fc.oneof(few, anyText, runs), { minLength: 1, maxLength: 6 });
    const pieces = fc.oneof(
      fragments,
      fragments.map((some) => some.join("").split("")),
    );
    let tried = 0;
    let found = 0;
    fc.assert(
      fc.property(pieces, fc.nat(), fc.nat(12), fc.constantFrom("", " a"), (pieces, from, length, behind) => {
        const text = pieces.join("");
        const start = from % (text.length + 1);
        const pattern = text.slice(start, start + length) + behind;
        fc.pre(countCharacters(pattern) > 0);
        tried += 1;
        const isFound = containsFolded(text, pattern);
        expect(containsFolded(pieces, pattern)).toBe(isFound);
        found += Number(isFound);
      }),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(tried / 4);
  });

  it("finds a text by any of its slices, and where it stands", () => {
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(anyText, fc.nat(), fc.integer({ min: 1, max: 30 }), (text, from, length) => {
        const characters = Array.from(graphemes.segment(text), ({ segment }) => segment);
        const start = from % Math.max(1, characters.length);
        const slice = characters.slice(start, start + length).join("");
        fc.pre(countCharacters(slice) > 0 && isKnownWhole(text));
        expect(finds(slice, text)).toBe(true);
        const places = findFolded(text, ["nowhere in it", slice]);
        expect(places).not.toEqual([]);
        for (const { pattern, start: at, end } of places) {
          expect(pattern).toBe(1);
          expect(containsFolded(text.slice(at, end), slice)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  /** Whether no word is so long that the index has less than all of it. */
  function isKnownWhole(text: string): boolean {
    return !/[A-Za-z0-9+/=\u0080-\uffff]{50,}/.test(text);
  }
});
