import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../search/any-text.fixture.ts";
import { splitWords, tokenize } from "../../search/tokens.ts";
import { NumberList, Tokenizer } from "./tokenizer.ts";
import { Vocabulary } from "./vocabulary.ts";

function openTokenizer() {
  const vocabulary = new Vocabulary();
  const identifiers: string[] = [];
  const tokenizer = new Tokenizer({
    numberOf(units, start, length, hash) {
      const term = String.fromCharCode(...units.subarray(start, start + length));
      if (term.startsWith("id:") && !identifiers.includes(term)) identifiers.push(term);
      return vocabulary.numberOf(units, start, length, hash);
    },
  });
  const list = new NumberList();
  const termsOf = (text: string): string[] => {
    const before = list.length;
    tokenizer.run(text, list);
    return Array.from(list.numbers.subarray(before, list.length), (number) => vocabulary.term(number));
  };
  return { tokenizer, vocabulary, identifiers, termsOf };
}

function expectedTerms(text: string): string[] {
  return tokenize(text).map((token) => token.term);
}

describe("Tokenizer", () => {
  it("gives the terms of tokenize, text after text", () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 3 }), (texts) => {
        const { termsOf } = openTokenizer();
        for (const text of texts) expect(termsOf(text)).toEqual(expectedTerms(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["a payload between words", `one ${"aB3+".repeat(200)}==two three`],
    [
      "one beside letters that are none of it",
      `é${"aB3+".repeat(200)}é é${"x".repeat(513)}getUser中${"x".repeat(513)}`,
    ],
    ["two payloads with one character between them", `${"a".repeat(513)} ${"b".repeat(600)}.${"c".repeat(512)}`],
    ["the longest run that is no payload", `${"a".repeat(512)} b`],
    ["a long word of more than one byte a character", `${"ж".repeat(70)}Word ${"ж".repeat(63)}𐐨word`],
  ])("gives the terms of tokenize for %s", (_, text) => {
    expect(openTokenizer().termsOf(text)).toEqual(expectedTerms(text));
  });

  it("gives the terms of tokenize where a text is longer than what is read at a time", () => {
    const words = ["word", "getUser", "über", "中文", "x".repeat(64), "v12", "Name", "é"];
    const anyLongText = fc
      .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(" ", ", ", "")), { minLength: 20, maxLength: 60 })
      .map((pieces) => pieces.flat().join("").repeat(400));
    fc.assert(
      fc.property(anyLongText, (text) => {
        expect(openTokenizer().termsOf(text)).toEqual(expectedTerms(text));
      }),
      { numRuns: 10 },
    );
  });

  it("remembers no more words than it has room for", () => {
    const { termsOf } = openTokenizer();
    const text = Array.from({ length: 70_000 }, (_, number) => `getUser${number}`).join(" ");
    expect(termsOf(text)).toEqual(expectedTerms(text));
  });

  it("numbers every word that has parts as an identifier, and no other", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { identifiers, termsOf } = openTokenizer();
        termsOf(text);
        const apart = splitWords(text).filter((word) => word.parts.length > 0);
        const expected = apart.map(({ term, parts }) => `id:${term} ${parts.map((part) => part.term).join(" ")}`);
        expect(new Set(identifiers)).toEqual(new Set(expected));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["no parts in 3FA85F64 or snake_case", []],
    ["getUser(), getUser and GETUser, getuser", ["id:getuser get user"]],
    ["userName username userNAME", ["id:username user name"]],
    ["src/UserList.tsx:my_userName", ["id:userlist user list", "id:username user name"]],
    ["naïveBayes aB3dE5fG7hJ9kL 中fooBar文", ["id:naivebayes naive bayes", "id:foobar foo bar"]],
    ["v1.2 0xFF 21T03", ["id:v1 v 1", "id:0xff 0x ff", "id:21t03 21 t 03"]],
    [`${"a".repeat(62)}BcDe`, [`id:${"a".repeat(62)}bc ${"a".repeat(62)} bc`]],
  ])("numbers the identifiers of %s", (text, expected) => {
    const { identifiers, termsOf } = openTokenizer();
    termsOf(text);
    expect(identifiers).toEqual(expected);
  });

  it("numbers them again for a vocabulary that was cleared", () => {
    const { tokenizer, vocabulary, identifiers, termsOf } = openTokenizer();
    termsOf("getUser");
    identifiers.length = 0;
    vocabulary.clear();
    tokenizer.clear();
    termsOf("getUser");
    expect(identifiers).toEqual(["id:getuser get user"]);
  });

  // In quadratic time, each of these would run into the time limit.
  it.each(["a", "aB", "A", "9", "+", "a+ ", "é", "éa", "中", "e\u0301\u0323", "\u0301\u0323", "😀", "\ud800", " "])(
    "takes linear time for many %j",
    (unit) => {
      const text = unit.repeat(300_000 / unit.length);
      expect(openTokenizer().termsOf(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});
