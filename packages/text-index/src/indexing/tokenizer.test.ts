import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../analysis/any-text.fixture.ts";
import { splitWords, tokenize } from "../analysis/tokens.ts";
import { NumberList } from "./number-list.ts";
import { Tokenizer } from "./tokenizer.ts";

/** One for all tests: to make another one takes longer than most of them. */
const tokenizer = new Tokenizer();

function openTokenizer() {
  tokenizer.clear();
  const list = new NumberList();
  const termsOf = (text: string): string[] => {
    const before = list.length;
    tokenizer.run(text, list);
    const terms = tokenizer.terms();
    return Array.from(list.numbers.subarray(before, list.length), (number) => terms[number] ?? "none");
  };
  const identifiers = () => tokenizer.terms().filter((term) => term.startsWith("id:"));
  return { tokenizer, identifiers, termsOf };
}

function loadInto(into: Tokenizer, json: string): boolean {
  const bytes = Buffer.from(json);
  return into.loadJson(bytes, [0, bytes.length]);
}

function expectedTerms(text: string): string[] {
  return tokenize(text).map((token) => token.term);
}

const anyTerm = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."ab"), maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..."\ud800\udc00\uffff\0z"), maxLength: 3 }),
  fc.integer({ min: 60, max: 400 }).map((length) => "a".repeat(length)),
);

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
    const text = Array.from({ length: 140_000 }, (_, number) => `getUser${number}`).join(" ");
    expect(termsOf(text)).toEqual(expectedTerms(text));
  });

  it("numbers every word that has parts as an identifier, and no other", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { identifiers, termsOf } = openTokenizer();
        termsOf(text);
        const apart = splitWords(text).filter((word) => word.parts.length > 0);
        const expected = apart.map(({ term, parts }) => `id:${term} ${parts.map((part) => part.term).join(" ")}`);
        expect(new Set(identifiers())).toEqual(new Set(expected));
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
    expect(identifiers()).toEqual(expected);
  });

  describe("of a JSON string", () => {
    const load = (json: string) => loadInto(tokenizer, json);
    const loadedTerms = () => {
      const list = new NumberList();
      tokenizer.runLoaded(list);
      const terms = tokenizer.terms();
      return Array.from(list.numbers.subarray(0, list.length), (number) => terms[number]);
    };

    it("gives the terms of the parsed text, or leaves it to others", () => {
      const anyJson = fc.oneof(
        anyText.map((text) => JSON.stringify(text).slice(1, -1)),
        fc
          .array(fc.constantFrom("a", "getUser", " ", '"', "\\", "/", "n", "u", "u0", "00", "1b", "é", "中", "\t"))
          .map((pieces) => pieces.join("")),
      );
      fc.assert(
        fc.property(anyJson, (json) => {
          openTokenizer();
          if (!load(json)) return;
          expect(loadedTerms()).toEqual(expectedTerms(JSON.parse(`"${json}"`)));
        }),
        { numRuns: 3000 },
      );
    });

    it("gives the terms of lines that lie anywhere", () => {
      openTokenizer();
      const bytes = Buffer.from('{"getUser":"one\\ttwo","x":"\\"中","y":"aB3+"}');
      const pieces = ["getUser", "one\\ttwo", "two", '\\"中', "", "y"].flatMap((piece) => {
        const start = bytes.indexOf(piece);
        return [start, start + Buffer.byteLength(piece)];
      });
      expect(tokenizer.loadJson(bytes, pieces)).toBe(true);
      expect(loadedTerms()).toEqual(expectedTerms('getUser\none\ttwo\ntwo\n"中\n\ny'));
    });

    it.each([
      ["an escape that is torn", ["a\\", "nb"]],
      ["lines that are long together", ["word ".repeat(7_000), "word ".repeat(7_000)]],
    ])("leaves %s to others", (_, lines) => {
      const bytes = Buffer.from(lines.join(""));
      const [first = ""] = lines;
      expect(tokenizer.loadJson(bytes, [0, first.length, first.length, bytes.length])).toBe(false);
    });

    it("takes what the agent writes", () => {
      openTokenizer();
      const text = `\u001b[31mgetUser("中文")\u001b[0m\n\tC:\\new\\table naïve 😀 ${"word ".repeat(1000)}`;
      expect(load(JSON.stringify(text).slice(1, -1))).toBe(true);
      expect(loadedTerms()).toEqual(expectedTerms(text));
    });

    it("goes on where its memory has grown", () => {
      const text = Array.from({ length: 9_000 }, (_, number) => `é${number}`).join(" ");
      const fresh = new Tokenizer();
      const list = new NumberList();
      for (const prefix of ["", "a", "b", "c", "d", "e", "f", "g"]) {
        const json = text.replaceAll("é", `é${prefix}`).slice(0, 40_000);
        expect(loadInto(fresh, json)).toBe(true);
        list.clear();
        fresh.runLoaded(list);
        const terms = fresh.terms();
        expect(Array.from(list.numbers.subarray(0, list.length), (number) => terms[number])).toEqual(
          expectedTerms(json),
        );
      }
    });

    it.each([
      ["a quote", 'a "b'],
      ["a line feed", "a\nb"],
      ["half an escape", "a\\"],
      ["half an escape of a character", "a\\u001"],
      ["an escape that JSON does not have", "a\\x41"],
      ["a letter that is escaped", "a\\u0062"],
      ["a slash that is escaped", "a\\/b"],
      ["a payload", "x".repeat(513)],
      ["more than it has room for", "word ".repeat(20_000)],
    ])("leaves %s to others", (_, json) => {
      expect(load(json)).toBe(false);
    });
  });

  it("numbers them again when all terms were forgotten", () => {
    const { tokenizer, identifiers, termsOf } = openTokenizer();
    termsOf("getUser");
    tokenizer.clear();
    expect(identifiers()).toEqual([]);
    termsOf("getUser");
    expect(identifiers()).toEqual(["id:getuser get user"]);
  });

  it("numbers different terms in the order in which they come, whatever numbers them", () => {
    const command = fc.oneof({ weight: 20, arbitrary: anyTerm }, { weight: 1, arbitrary: fc.constant(null) });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const { tokenizer } = openTokenizer();
        const model = new Map<string, number>();
        for (const term of commands) {
          if (term === null) {
            tokenizer.clear();
            model.clear();
          } else {
            if (!model.has(term)) model.set(term, model.size);
            expect(tokenizer.add(term)).toBe(model.get(term));
          }
          expect(tokenizer.size).toBe(model.size);
        }
        expect(tokenizer.terms()).toEqual([...model.keys()]);
      }),
    );
  });

  it("gives a term of a text the number that it has otherwise", () => {
    const { tokenizer, termsOf } = openTokenizer();
    const terms = ["cafe", "get", "user", "中文", "文", "a".repeat(9)];
    const numbers = terms.map((term) => tokenizer.add(term));
    termsOf(`Café getUser 中文 ${"a".repeat(9)}`);
    expect(terms.map((term) => tokenizer.add(term))).toEqual(numbers);
  });

  it("keeps all of many terms, and takes as many after they were forgotten", () => {
    const { tokenizer, termsOf } = openTokenizer();
    for (const prefix of ["a", "longer-than-eight-letters-", "中"]) {
      tokenizer.clear();
      const terms = Array.from({ length: 30_000 }, (_, place) => `${prefix}${place.toString(36)}`);
      expect(terms.map((term) => tokenizer.add(term))).toEqual([...terms.keys()]);
      expect(terms.map((term) => tokenizer.add(term))).toEqual([...terms.keys()]);
      expect(tokenizer.terms()).toEqual(terms);
      expect(termsOf("a00 a00")).toEqual(["a00", "a00"]);
    }
  });

  it("sorts terms by their UTF-16 units", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyTerm, { maxLength: 100 }), (terms) => {
        const { tokenizer } = openTokenizer();
        for (const term of terms) tokenizer.add(term);
        const sorted = Array.from(tokenizer.sorted(), (number) => terms[number]);
        // Without a function to compare, JavaScript sorts by units.
        expect(sorted).toEqual(terms.toSorted());
      }),
    );
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
