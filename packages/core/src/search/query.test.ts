import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../errors.ts";
import {
  parseQuery,
  printQuery,
  type Query,
  queryTerms,
  type SplitIdentifier,
  type TermNode,
  toFts5,
} from "./query.ts";

const word = (text: string, prefix = false): TermNode => ({ type: "term", text, quoted: false, prefix });
const phrase = (text: string, prefix = false): TermNode => ({ type: "term", text, quoted: true, prefix });

/** An index that knows two identifiers, one of them in two spellings. */
const split: SplitIdentifier = (word, prefix) => {
  if (word === "username") return [["user", "name"]];
  if (word === "getusername")
    return [
      ["get", "user", "name"],
      ["get", "username"],
    ];
  return prefix && word === "getuserna" ? [["get", "user", "na"]] : [];
};

function failure(text: string): AppError {
  try {
    parseQuery(text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${text} was parsed`);
}

describe("parseQuery", () => {
  it.each<[string, Query]>([
    ["word", { node: word("word"), role: null }],
    ["  two\twords ", { node: { type: "and", nodes: [word("two"), word("words")], without: [] }, role: null }],
    ['"exact phrase"', { node: phrase("exact phrase"), role: null }],
    ["pre*", { node: word("pre", true), role: null }],
    ['"some pre"*', { node: phrase("some pre", true), role: null }],
    ["foo.*", { node: word("foo.*"), role: null }],
    ["a*b", { node: word("a*b"), role: null }],
    ["a -b", { node: { type: "and", nodes: [word("a")], without: [word("b")] }, role: null }],
    ['-"b c" a', { node: { type: "and", nodes: [word("a")], without: [phrase("b c")] }, role: null }],
    [
      'say"it now"x',
      { node: { type: "and", nodes: [word("say"), phrase("it now"), word("x")], without: [] }, role: null },
    ],
    ["--no-verify", { node: word("--no-verify"), role: null }],
    ["role:user error", { node: word("error"), role: "user" }],
    ["error Role:TOOL role:tool", { node: word("error"), role: "tool" }],
    ['"role:nobody"', { node: phrase("role:nobody"), role: null }],
    [
      "http://x foo:bar",
      { node: { type: "and", nodes: [word("http://x"), word("foo:bar")], without: [] }, role: null },
    ],
    ['a && -> - * "" -* -"!"', { node: word("a"), role: null }],
  ])("reads %s", (text, expected) => {
    expect(parseQuery(text)).toEqual(expected);
  });

  it.each([
    ["", "The query has no word to search for, at column 1."],
    [' *  "" ( -> ', "The query has no word to search for, at column 1."],
    ["role:user", "The query has no word to search for, at column 1."],
    ['  -foo -"bar"', "The query only excludes, from column 3 on; add a word to search for."],
    ['foo "bar', "The quote at column 5 is not closed."],
    ['foo -"bar', "The quote at column 6 is not closed."],
    ["foo role:admin", "The role at column 5 must be one of user, assistant, tool, all."],
    ['role:"user" x', "The role at column 1 must be one of user, assistant, tool, all."],
    ["x role:user role:tool", "The query names a second role at column 13; one is possible."],
    ["x -role:tool", "A role cannot be excluded, at column 3; name the one that is wanted."],
    ["x".repeat(1001), "The query is longer than 1000 characters, at column 1001."],
  ])("rejects %s", (text, message) => {
    const error = failure(text);
    expect(error.code).toBe("INVALID_PAYLOAD");
    expect(error.message).toBe(message);
    expect(error.details).toEqual([{ path: "query", message }]);
  });

  it("accepts or rejects any text with an error for the caller", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        try {
          toFts5(parseQuery(text), split);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});

describe("printQuery", () => {
  const text = fc.string({ unit: fc.constantFrom(..."aZ9_.:/-()^*+é中😀"), minLength: 1, maxLength: 10 });
  const wordNode = fc
    .tuple(text, fc.boolean())
    .filter(([value]) => /[a-zé中😀9]$/iu.test(value) && !value.startsWith("-"))
    .map(([value, prefix]) => word(value, prefix));
  const phraseNode = fc
    .tuple(fc.array(text, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([values, prefix]) => phrase(`${values.join(" ")}a`, prefix));
  const term = fc.oneof(wordNode, phraseNode);
  const node = fc.oneof(
    term,
    fc
      .record({
        type: fc.constant("and" as const),
        nodes: fc.array(term, { minLength: 1, maxLength: 4 }),
        without: fc.array(term, { maxLength: 3 }),
      })
      .filter(({ nodes, without }) => nodes.length + without.length > 1),
  );
  const role = fc.constantFrom("user" as const, "assistant" as const, "tool" as const, "all" as const, null);

  it("prints every tree so that it is read again", () => {
    fc.assert(
      fc.property(fc.record({ node, role }), (query) => {
        expect(parseQuery(printQuery(query))).toEqual(query);
      }),
      { numRuns: 1000 },
    );
  });

  it("prints whatever was read so that it is read again", () => {
    const typed = fc.array(fc.constantFrom("a", "-", '"', "*", " ", "role:", "user", "b.c", "(", "é", "中文", ":"));
    fc.assert(
      fc.property(typed, (pieces) => {
        let query: Query;
        try {
          query = parseQuery(pieces.join(""));
        } catch {
          return;
        }
        expect(parseQuery(printQuery(query))).toEqual(query);
      }),
      { numRuns: 2000 },
    );
  });

  it("puts the role first and exclusions last", () => {
    expect(printQuery(parseQuery('-x  "a b" c* role:TOOL'))).toBe('role:tool "a b" c* -x');
  });
});

describe("toFts5", () => {
  it.each([
    ["Word", '"word"'],
    ["a b", '"a" AND "b"'],
    ["get_user_name", '"get user name"'],
    ["src/index.ts foo.bar()", '"src index ts" AND "foo bar"'],
    ["getUserName", '("get user name" OR "getusername" OR "get username")'],
    ["GETUSERNAME", '("getusername" OR "get user name" OR "get username")'],
    ["src/userName.ts", '("src user name ts" OR "src username ts")'],
    ['"getFile x"', '("get file x" OR "getfile x")'],
    ['"x username"', '("x username" OR "x user name")'],
    ["getuserna", '"getuserna"'],
    ["getuserna*", '("getuserna"* OR "get user na"*)'],
    ["getuserna.x*", '"getuserna x"*'],
    ["pre*", '"pre"*'],
    ["get_us*", '"get us"*'],
    ["getUs*", '("get us"* OR "getus"*)'],
    ["中", '"中"*'],
    ["中文", '"中文"'],
    ["中文字", '"中文 文字"'],
    ['"中文 中"', '"中文 文 中"*'],
    ["使用React", '"使用 用 react"'],
    ["a -b -getUser", '("a") NOT ("b" OR ("get user" OR "getuser"))'],
    ["Café", '"cafe"'],
    ["AND NEAR(a, OR ^b a:c*", '"and" AND "near a" AND "or" AND "b" AND "a c"*'],
  ])("compiles %s", (text, expected) => {
    expect(toFts5(parseQuery(text), split)).toBe(expected);
  });

  it("writes a term that could be spelled in too many ways in sections", () => {
    const six = (name: string) => Array.from({ length: 6 }, () => name).join(" ");
    const match = toFts5(parseQuery(`"${six("username")} x username y"*`), split);
    const [first = "", second, ...others] = match.split(" AND ");
    expect(others).toEqual([]);
    expect(first.split(" OR ")).toHaveLength(64);
    expect(first.startsWith(`(("${six("username")} x" OR `)).toBe(true);
    expect(first.endsWith(` OR "${six("user name")} x")`)).toBe(true);
    expect(second).toBe('("username y"* OR "user name y"*))');
  });

  it("writes what was typed first where a word comes apart in too many ways", () => {
    const many: SplitIdentifier = () => Array.from({ length: 500 }, (_, index) => ["a", `b${index}`]);
    const phrases = toFts5(parseQuery("aB*"), many).split(" OR ");
    expect(phrases).toHaveLength(64);
    expect(phrases.slice(0, 3)).toEqual(['("a b"*', '"ab"*', '"a b0"*']);
  });
});

describe("queryTerms", () => {
  it("lists the phrases of what is searched for and not of what is excluded", () => {
    expect(queryTerms(parseQuery('getUser "a b" pre* -no role:user'))).toEqual([
      [
        { terms: ["get", "user"], prefix: false },
        { terms: ["getuser"], prefix: false },
      ],
      [{ terms: ["a", "b"], prefix: false }],
      [{ terms: ["pre"], prefix: true }],
    ]);
  });

  it("lists how known identifiers come apart", () => {
    expect(queryTerms(parseQuery("username getuserna*"), split)).toEqual([
      [
        { terms: ["username"], prefix: false },
        { terms: ["user", "name"], prefix: false },
      ],
      [
        { terms: ["getuserna"], prefix: true },
        { terms: ["get", "user", "na"], prefix: true },
      ],
    ]);
  });
});
