import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Redactor } from "./redactor.ts";
import { MAX_WORDS, wordProblem, wordsIn } from "./word-list.ts";

const redact = (words: string[], text: string) => new Redactor(words).text(text, null);

describe("words of the user's own", () => {
  const one = "[redacted:word-1]";

  it.each<[what: string, word: string, text: string, redacted: string]>([
    ["alone", "alice", "alice", one],
    ["in a sentence", "alice", "Ask alice.", `Ask ${one}.`],
    ["in any case", "alice", "Alice and ALICE", `${one} and ${one}`],
    ["between signs", "alice", "alice's <alice> (alice) alice@host", `${one}'s <${one}> (${one}) ${one}@host`],
    [
      "in paths and names",
      "alice",
      "/srv/alice/x -alice- alice_2 a.alice.b",
      `/srv/${one}/x -${one}- ${one}_2 a.${one}.b`,
    ],
    ["not in other words", "alice", "malice alices alice2", "malice alices alice2"],
    ["not with another accent", "ale", "alé ale\u0301", "alé ale\u0301"],
    ["behind escapes", "alice", "\\nalice %2Falice \u001b[31malice", `\\n${one} %2F${one} \u001b[31m${one}`],
    ["a phrase over any space", "Acme  Corp", "acme\n  CORP, acmecorp", `${one}, acmecorp`],
    ["as literal text", "a.c (x)*", "abc a.c (x)* A.C (X)*", `abc ${one} ${one}`],
    ["with signs at its ends", "@alice", "me@alice x@alices", `me${one} x@alices`],
    ["composed or not", "Zoé", "zoé zoe\u0301", `${one} ${one}`],
    ["within other words where no spaces are", "张伟", "请张伟来 alice张伟", `请${one}来 alice${one}`],
    ["beside letters of such a script", "alice", "给alice写信", `给${one}写信`],
    ["before the particles of Korean", "김철수", "김철수가", `${one}가`],
    ["with letters beyond the first plane", "𝒜b", "x𝒜b 𝒜bc 𝒜b", `x𝒜b 𝒜bc ${one}`],
    ["a short text", "ab", "ab", one],
    ["in a placeholder of the text", "alice", "[redacted:alice-1]", `[redacted:${one}-1]`],
  ])("are found %s", (_what, word, text, redacted) => {
    expect(redact([word], text)).toBe(redacted);
  });

  it("have numbers in the order in which they are found", () => {
    expect(redact(["bob", "alice"], "Alice, Bob, alice")).toBe(
      "[redacted:word-1], [redacted:word-2], [redacted:word-1]",
    );
  });

  it("are replaced as phrases first", () => {
    expect(redact(["Acme", "Acme Corp"], "Acme Corp of Acme")).toBe("[redacted:word-1] of [redacted:word-2]");
  });

  it("leave secrets and the placeholders of these alone", () => {
    const text = "mail bob@example.com, email alice";
    expect(redact(["alice", "email"], text)).toBe("mail [redacted:email-1], [redacted:word-1] [redacted:word-2]");
  });

  it("are found where a secret was before them", () => {
    expect(redact(["alice"], "/home/bob/alice")).toBe("/home/[redacted:user-1]/[redacted:word-1]");
  });

  it("are found in keys and numbers of data", () => {
    const value = new Redactor(["alice", "4711"]).value({ alice: [4711, 47110, "x 4711"] }, null);
    expect(value).toEqual({ "[redacted:word-2]": ["[redacted:word-1]", 47110, "x [redacted:word-1]"] });
  });

  it("are found where a title cuts them off", () => {
    const redactor = new Redactor(["professor"]);
    expect(["the profe", "the pro", "the profs", "a professor"].map((text) => redactor.beginning(text))).toEqual([
      "the [redacted:word-1]",
      "the pro",
      "the profs",
      "a [redacted:word-1]",
    ]);
  });

  const letters = fc.constantFrom(..."abcABCéßЖ漢한𝒜1 .-_[]()*\\n%");
  const word = fc.string({ unit: letters, minLength: 2, maxLength: 6 }).filter((text) => wordProblem([text]) === null);
  /** A word as people see it, whatever is around it. */
  const seen = (text: string, own: string) =>
    new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])${literal(own)}(?![\\p{L}\\p{N}\\p{M}])`, "iu").test(text);

  it("never stay", () => {
    const text = fc.array(fc.oneof(word, fc.string({ unit: letters }), fc.constantFrom(" ", "\n", "ghp_", "@a.com")));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), text, (words, pieces) => {
        const written = [...pieces, ...words].join(" ");
        const redacted = redact(words, written).replaceAll(/\[redacted:[a-z-]+-\d+\]/g, "§");
        expect(words.filter((own) => seen(redacted, own))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

function literal(word: string): string {
  return word
    .trim()
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replace(/\s+/g, "\\s+");
}

describe("wordsIn", () => {
  it.each([
    ["", []],
    [" Ada ,  Acme   Corp\n\nada, 张伟、李娜", ["Ada", "Acme Corp", "张伟", "李娜"]],
  ])("reads %j", (typed, words) => expect(wordsIn(typed)).toEqual(words));
});

describe("wordProblem", () => {
  it.each<[words: string[], problem: string | null]>([
    [[], null],
    [["Ada", "x".repeat(100), "+1"], null],
    [["ok", " a "], "short"],
    [["x".repeat(101)], "long"],
    [["--"], "signs"],
    [Array.from({ length: MAX_WORDS + 1 }, (_, n) => `w${n}`), "many"],
    [Array.from({ length: 11 }, () => "x".repeat(100)), "together"],
  ])("of %j is %j", (words, problem) => expect(wordProblem(words)?.problem ?? null).toBe(problem));
});
