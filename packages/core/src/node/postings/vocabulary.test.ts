import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { termHash } from "./term-hash.ts";
import { NumberList, Tokenizer } from "./tokenizer.ts";
import { Vocabulary } from "./vocabulary.ts";

function codesOf(term: string): Uint16Array {
  return Uint16Array.from({ length: term.length }, (_, at) => term.charCodeAt(at));
}

const anyTerm = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."ab"), maxLength: 6 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.string({ unit: fc.constantFrom(..."\ud800\udc00\uffff\0z"), maxLength: 3 }),
  fc.integer({ min: 60, max: 400 }).map((length) => "a".repeat(length)),
);

describe("Vocabulary", () => {
  it("numbers terms in the order in which they come, and knows them again", () => {
    const command = fc.oneof({ weight: 20, arbitrary: anyTerm }, { weight: 1, arbitrary: fc.constant(null) });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const vocabulary = new Vocabulary();
        const model = new Map<string, number>();
        for (const term of commands) {
          if (term === null) {
            vocabulary.clear();
            model.clear();
          } else {
            if (!model.has(term)) model.set(term, model.size);
            expect(vocabulary.add(term)).toBe(model.get(term));
          }
          expect(vocabulary.size).toBe(model.size);
        }
        for (const [term, number] of model) expect(vocabulary.term(number)).toBe(term);
      }),
    );
  });

  it("keeps all of many terms, and takes as many after it was cleared", () => {
    const vocabulary = new Vocabulary();
    for (const prefix of ["a", "b"]) {
      vocabulary.clear();
      const terms = Array.from({ length: 30_000 }, (_, place) => `${prefix}${place.toString(36)}`);
      expect(terms.map((term) => vocabulary.add(term))).toEqual([...terms.keys()]);
      expect(terms.map((term) => vocabulary.add(term))).toEqual([...terms.keys()]);
      expect([...terms.keys()].map((number) => vocabulary.term(number))).toEqual(terms);
    }
  });

  it("takes no term for another that has its hash", () => {
    const vocabulary = new Vocabulary();
    const numberOf = (term: string) => vocabulary.numberOf(codesOf(term), 0, term.length, -1);
    const terms = ["a", "b", "ab", "ba", "", "abc", "abd"];
    expect(terms.map(numberOf)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(terms.map(numberOf)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("looks at no more of the units than the term has", () => {
    const vocabulary = new Vocabulary();
    expect(vocabulary.numberOf(codesOf("abcrest"), 0, 3, termHash("abc"))).toBe(0);
    expect(vocabulary.numberOf(codesOf("anotherabcother"), 7, 3, termHash("abc"))).toBe(0);
    expect(vocabulary.term(0)).toBe("abc");
  });

  it("knows what a tokenizer has numbered", () => {
    const vocabulary = new Vocabulary();
    const list = new NumberList();
    new Tokenizer(vocabulary).run("Café getUser 中文", list);
    const terms = ["cafe", "get", "user", "中文", "文"];
    expect(terms.map((term) => vocabulary.add(term))).toEqual([...list.numbers.subarray(0, list.length)]);
  });

  it("sorts terms by their UTF-16 units", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyTerm, { maxLength: 100 }), (terms) => {
        const vocabulary = new Vocabulary();
        for (const term of terms) vocabulary.add(term);
        const sorted = Array.from(vocabulary.sorted(), (number) => vocabulary.term(number));
        // Without a function to compare, JavaScript sorts by units.
        expect(sorted).toEqual(terms.toSorted());
      }),
    );
  });

  it("hashes in a way that nobody can foresee", async () => {
    vi.resetModules();
    const other = await import("./term-hash.ts");
    const differences = new Set(["aa", "ab", "ba"].map((term) => other.termHash(term) ^ termHash(term)));
    expect(differences.size).toBe(3);
  });
});
