import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../errors.ts";
import { NO_TIMES, TYPED_AT, TYPED_TIMES } from "../typed-time.fixture.ts";
import { parseQuery, printQuery, withResolvedTimes } from "./query.ts";
import type {
  AndNode,
  FieldNode,
  NotNode,
  OrNode,
  PositiveNode,
  QueryLeaf,
  QueryNode,
  SubstringNode,
  TermNode,
  TimeNode,
} from "./query-tree.ts";

const word = (text: string, prefix = false): TermNode => ({ type: "term", text, quoted: false, prefix });
const phrase = (text: string, prefix = false): TermNode => ({ type: "term", text, quoted: true, prefix });
const part = (text: string): SubstringNode => ({ type: "substring", text });
const and = (...nodes: QueryNode[]): AndNode => ({ type: "and", nodes });
const or = (...nodes: PositiveNode[]): OrNode => ({ type: "or", nodes });
const not = (node: PositiveNode): NotNode => ({ type: "not", node });
const time = (side: "before" | "after", value: string): TimeNode => ({ type: "time", side, value });
const field = (name: FieldNode["field"], value: string, prefix = false): FieldNode => ({
  type: "field",
  field: name,
  value,
  prefix,
});
const [a, b, c, d] = [word("a"), word("b"), word("c"), word("d")];

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
  it.each<[string, QueryNode]>([
    ["word", word("word")],
    ["  two\twords ", and(word("two"), word("words"))],
    ['"exact phrase"', phrase("exact phrase")],
    ["pre*", word("pre", true)],
    ['"some pre"*', phrase("some pre", true)],
    ["foo.*", word("foo.*")],
    ["a*b", word("a*b")],
    ["a -b", and(a, not(b))],
    ['-"b c" a', and(not(phrase("b c")), a)],
    ['say"it now"x', and(word("say"), phrase("it now"), word("x"))],
    ["--no-verify", word("--no-verify")],
    ['a && -> - * "" -* -"!"', a],
  ])("reads words and phrases: %s", (text, expected) => {
    expect(parseQuery(text)).toEqual(expected);
  });

  it.each<[string, QueryNode]>([
    ["a OR b", or(a, b)],
    ["a b OR c d", or(and(a, b), and(c, d))],
    ["a AND b OR c", or(and(a, b), c)],
    ["a AND -b", and(a, not(b))],
    ["(a OR b) c", and(or(a, b), c)],
    ["a (b OR c)(d)", and(a, or(b, c), d)],
    ["a (b (c d))", and(a, b, c, d)],
    ["a OR (b OR (c OR d))", or(a, b, c, d)],
    ["((((a))))", a],
    ["a or b and c", and(a, word("or"), b, word("and"), c)],
    ['a "OR" -AND', and(a, phrase("OR"), not(word("AND")))],
    ["a -(b OR c)", and(a, not(or(b, c)))],
    ["a -(b -c)", and(a, not(and(b, not(c))))],
    ["a -(b)", and(a, not(b))],
    ["a (-b)", and(a, not(b))],
    ["a (-b c) OR d", or(and(a, not(b), c), d)],
    ['("a"OR"b")', or(phrase("a"), phrase("b"))],
  ])("reads operators and groups: %s", (text, expected) => {
    expect(parseQuery(text)).toEqual(expected);
  });

  it.each<[string, QueryNode]>([
    ["foo(bar)", word("foo(bar)")],
    ["arr[0].x", word("arr[0].x")],
    ["fn(a, b)", and(phrase("fn(a,"), phrase("b)"))],
    ["fn(a* b)", and(phrase("fn(a", true), phrase("b)"))],
    ['foo("bar")', and(phrase("foo("), phrase("bar"))],
    ["parse(", phrase("parse(")],
    ["a () => b", and(a, b)],
    ["useEffect(() => {", phrase("useEffect(()")],
    ["(x OR fn(a, b)) c", and(or(word("x"), and(phrase("fn(a,"), phrase("b)"))), c)],
    ["if (a && b(c)) d", and(word("if"), a, word("b(c)"), d)],
    ["(foo( OR b )) c", and(or(phrase("foo("), b), c)],
    ["a->b", word("a->b")],
    ["~~a~~", word("~~a~~")],
    ["~> a ~", a],
  ])("reads code as text: %s", (text, expected) => {
    expect(parseQuery(text)).toEqual(expected);
  });

  it.each<[string, QueryNode]>([
    ["~serNa", part("serNa")],
    ['~"a + bc"', part("a + bc")],
    ["a -~bcd", and(a, not(part("bcd")))],
    ["(~foo(x) OR ~a*bc)", or(part("foo(x)"), part("a*bc"))],
    ["~中文字", part("中文字")],
    ["~/.bashrc", part("/.bashrc")],
    ["~C++", part("C++")],
    ['~=== ~"- x"', and(part("==="), part("- x"))],
  ])("reads substrings: %s", (text, expected) => {
    expect(parseQuery(text)).toEqual(expected);
  });

  it.each<[string, QueryNode]>([
    ["role:user", { type: "role", role: "user" }],
    ['Role:"TOOL"', { type: "role", role: "tool" }],
    ["is:Favorite", { type: "is", state: "favorite" }],
    ["is:bookmarked", { type: "is", state: "bookmarked" }],
    ["is:archived", { type: "is", state: "archived" }],
    ["is:expiring", { type: "is", state: "expiring" }],
    ["is:failed", { type: "is", state: "failed" }],
    ["is:aborted", { type: "is", state: "aborted" }],
    ["has:Note", { type: "has", what: "note" }],
    ['note:"the fix"*', field("note", "the fix", true)],
    ["tool:Bash", field("tool", "Bash")],
    ['project:"my folder"', field("project", "my folder")],
    ["MODEL:opus*", field("model", "opus", true)],
    ["agent:claude-code", field("agent", "claude-code")],
    ['tag:"to do"*', field("tag", "to do", true)],
    ["file:src/(app)/page.tsx", field("file", "src/(app)/page.tsx")],
    ["file:/src/*.ts", field("file", "/src/*.ts")],
    ['tag:"*"', field("tag", "*")],
    ["before:2026-11 after:7d", and(time("before", "2026-11"), time("after", "7d"))],
    ['after:"2026-11-21 10:00"', time("after", "2026-11-21 10:00")],
    ["a -role:tool -tag:x", and(a, not({ type: "role", role: "tool" }), not(field("tag", "x")))],
    ["(tag:x OR tag:y) a", and(or(field("tag", "x"), field("tag", "y")), a)],
  ])("reads fields: %s", (text, expected) => {
    expect(parseQuery(text)).toEqual(expected);
  });

  it.each(["http://x", "foo:bar", "std::vector", "file::open", "file:///etc/hosts", "C:\\x", "a.name:b", "12:30"])(
    "reads as text what looks like a field: %s",
    (text) => {
      expect(parseQuery(text)).toEqual(word(text));
      expect(parseQuery(`"${text}"`)).toEqual(phrase(text));
    },
  );

  it.each([
    ["", "The query is empty, at column 1."],
    [' *  "" -> ', "The query is empty, at column 1."],
    ["()", "The query is empty, at column 1."],
    ["a ( )", "The parentheses at column 3 are empty."],
    ["a -(->)", "The parentheses at column 3 are empty."],
    ['  -foo -"bar"', "The query only excludes, from column 3 on; add a word to search for."],
    ["a OR -b", "The query only excludes, from column 6 on; add a word to search for."],
    ["a -(b OR -c)", "The query only excludes, from column 10 on; add a word to search for."],
    ["-(-a)", "The query only excludes, from column 3 on; add a word to search for."],
    ['foo "bar', "The quote at column 5 is not closed."],
    ['foo -"bar', "The quote at column 6 is not closed."],
    ['tag:"bar', "The quote at column 5 is not closed."],
    ["a (b (c)", "The parenthesis at column 3 is not closed."],
    ["foo( (a", "The parenthesis at column 6 is not closed."],
    ["a )", "The parenthesis at column 3 has no opening parenthesis; quote it to search for it."],
    ["(a b))", "The parenthesis at column 6 has no opening parenthesis; quote it to search for it."],
    ["a OR", 'The OR at column 3 needs a term on both sides; write "or" to search for the word.'],
    ["OR a", 'The OR at column 1 needs a term on both sides; write "or" to search for the word.'],
    ["a OR -> OR b", 'The OR at column 3 needs a term on both sides; write "or" to search for the word.'],
    ["a (OR b)", 'The OR at column 4 needs a term on both sides; write "or" to search for the word.'],
    ["AND a", 'The AND at column 1 needs a term on both sides; write "and" to search for the word.'],
    ["a AND AND b", 'The AND at column 7 needs a term on both sides; write "and" to search for the word.'],
    ["a AND OR b", 'The AND at column 3 needs a term on both sides; write "and" to search for the word.'],
    ["(a AND) b", 'The AND at column 4 needs a term on both sides; write "and" to search for the word.'],
    ["foo role:boss", "The role: at column 5 must be one of user, assistant, tool, all."],
    ["-role:us* a", "The role: at column 2 must be one of user, assistant, tool, all."],
    ["is:red", "The is: at column 1 must be one of favorite, bookmarked, live, archived, expiring, failed, aborted."],
    ["a name: b", "The name: at column 3 has no value; quote it to search for it."],
    ['tag:""', "The tag: at column 1 has no value; quote it to search for it."],
    ["tool:*", "The tool: at column 1 has no value; quote it to search for it."],
    ['name:"->"', "The name: at column 1 has no value; quote it to search for it."],
    ["tag:(a OR b)", "The value of tag: at column 1 must be quoted."],
    ["~ab", "The ~ at column 1 needs at least 3 characters after it."],
    ['a ~" -  "', "The ~ at column 3 needs at least 3 characters after it."],
    ['~"->"', "The ~ at column 1 needs at least 3 characters after it."],
    ["~中文", "The ~ at column 1 needs at least 3 characters after it."],
    ["x".repeat(1001), "The query is longer than 1000 characters, at column 1001."],
    ["(".repeat(33), "The parenthesis at column 33 is inside 32 others, which is too deep."],
    ["a ".repeat(257), "The query has more than 256 words, at column 513."],
    ["a* ".repeat(33), "The query has more than 32 words with * or ~, at column 97."],
    ["~abc ".repeat(33), "The query has more than 32 words with * or ~, at column 161."],
  ])("rejects %s", (text, message) => {
    const error = failure(text);
    expect(error.code).toBe("INVALID_PAYLOAD");
    expect(error.message).toBe(message);
    expect(error.details).toEqual([{ path: "query", message }]);
  });

  it.each(NO_TIMES.filter(([text]) => !text.includes(" ")))("says which times are possible: %s", (text, problem) => {
    const { message } = failure(`a before:${text}`);
    expect(message).toMatch(/^The before: at column 3 must be .*\.$/);
    expect(message).toMatch(problem);
  });

  it("reads as much as is allowed", () => {
    expect(parseQuery(`${"(".repeat(32)}a${")".repeat(32)}`)).toEqual(a);
    expect(parseQuery("a ".repeat(256))).toEqual(and(...Array.from({ length: 256 }, () => a)));
    const long = `${"ab-".repeat(333)}a`;
    expect(parseQuery(long)).toEqual(word(long));
  });
});

/** Texts that are read as one word and nothing else. */
const wordText = fc
  .string({ unit: fc.constantFrom(..."aZ9_.:/-()[]*~é中😀"), minLength: 1, maxLength: 10 })
  .filter((text) => /[a-z9é中😀]$/iu.test(text) && !/^(\(|-[^-]|~[^~])/.test(text) && isBalanced(text))
  .chain((text) => fc.constantFrom(text, `a(${text})`, "foo:bar", "file://x", "or"))
  .filter((text) => !text.startsWith("("));
const quotedText = fc.string({ unit: fc.constantFrom(..."aZ9_.:/-()*~é中😀 "), maxLength: 12 });

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** A third dash would make one word of it. */
function isExcludable(node: PositiveNode): boolean {
  return node.type !== "term" || node.quoted || !node.text.startsWith("-");
}

const leaf: fc.Arbitrary<QueryLeaf> = fc.oneof(
  wordText.map((text) => word(text)),
  wordText.filter((text) => !text.endsWith(")")).map((text) => word(text, true)),
  fc.tuple(quotedText, fc.boolean()).map(([text, prefix]) => phrase(`${text}a`, prefix)),
  fc.tuple(quotedText, quotedText).map(([before, after]) => part(`${before}abc${after}`)),
  fc
    .tuple(
      fc.constantFrom(
        "tool" as const,
        "project" as const,
        "model" as const,
        "tag" as const,
        "name" as const,
        "note" as const,
        "agent" as const,
      ),
      quotedText.map((text) => `${text}a`),
      fc.boolean(),
    )
    .map(([name, value, prefix]) => field(name, value, prefix)),
  fc.constantFrom<QueryLeaf>(
    { type: "role", role: "assistant" },
    { type: "is", state: "live" },
    { type: "has", what: "note" },
    time("before", "2026-11-21 10:00"),
    time("after", "7d"),
    field("file", "//host/a", true),
    field("file", "/a(b)"),
  ),
);

const { tree } = fc.letrec<{ tree: PositiveNode; and: PositiveNode; or: PositiveNode }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, tie("and"), tie("or")),
  and: fc
    .record({
      wanted: fc.array(fc.oneof(leaf, tie("or")), { minLength: 1, maxLength: 3 }),
      excluded: fc.array(tie("tree").filter(isExcludable).map(not), { maxLength: 2 }),
      excludedFirst: fc.boolean(),
    })
    .filter(({ wanted, excluded }) => wanted.length + excluded.length > 1)
    .map(({ wanted, excluded, excludedFirst }) =>
      excludedFirst ? and(...excluded, ...wanted) : and(...wanted, ...excluded),
    ),
  or: fc.array(fc.oneof(leaf, tie("and")), { minLength: 2, maxLength: 3 }).map((nodes) => or(...nodes)),
}));

describe("printQuery", () => {
  it("prints every tree so that it is read again", () => {
    fc.assert(
      fc.property(tree, (node) => {
        const printed = printQuery(node);
        fc.pre(printed.length <= 1000 && (printed.match(/[*~]/g) ?? []).length <= 32);
        expect(parseQuery(printed)).toEqual(node);
      }),
      { numRuns: 1000 },
    );
  });

  it("prints whatever was read so that it is read again, and everything else was rejected with its column", () => {
    const typed = fc.array(
      fc.constantFrom(
        ...["a", "b.c", "é", "中文", "-", '"', "*", " ", " ", "(", ")", "~", "~abc", ":", "OR", " OR ", " AND "],
        ...["role:", "user", "tag:", "file:", "//", "after:", "7d", "\0", "\ud800", "😀", "\\", "'"],
      ),
      { maxLength: 40 },
    );
    let tried = 0;
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(typed, fc.array(fc.string({ unit: "binary" }), { maxLength: 4 })), (pieces) => {
        tried += 1;
        const text = pieces.join("");
        let node: QueryNode;
        try {
          node = parseQuery(text);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).toBe("INVALID_PAYLOAD");
          const column = Number(/ column (\d+)/.exec(error.message)?.[1]);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual(Math.max(1, text.length));
          return;
        }
        read += 1;
        expect(parseQuery(printQuery(node))).toEqual(node);
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(tried / 10);
  });

  it.each([
    ['-x  "a b"   c* Role:TOOL', '-x "a b" c* role:tool'],
    ["(a)(b OR (c OR d)) AND -(e f)", "a (b OR c OR d) -(e f)"],
    ["(a b) OR (c)", "a b OR c"],
    ["fn(a, b)", '"fn(a," "b)"'],
    ['~"abc" ~"a bc" tag:"x" tag:"x y"* file:"//h/x"', '~abc ~"a bc" tag:x tag:"x y"* file:"//h/x"'],
  ])("prints %s in its shortest form", (text, expected) => {
    expect(printQuery(parseQuery(text))).toBe(expected);
  });
});

describe("withResolvedTimes", () => {
  const iso = (time: number) => new Date(time).toISOString();

  it.each(TYPED_TIMES)("writes %s in UTC", (text, time) => {
    expect(withResolvedTimes(`after:${text}`, TYPED_AT)).toBe(`after:${iso(time)}`);
    expect(parseQuery(`after:${iso(time)}`)).toMatchObject({ type: "time", value: iso(time) });
  });

  it("leaves the rest as it was typed", () => {
    const [today, day] = [iso(new Date(2026, 10, 21).getTime()), iso(new Date(2026, 10, 1).getTime())];
    expect(withResolvedTimes('  a "after:7d" OR (-before:"today" fn(x) AFTER:2026-11) ', TYPED_AT)).toBe(
      `  a "after:7d" OR (-before:${today} fn(x) after:${day}) `,
    );
    expect(withResolvedTimes("tide clock", TYPED_AT)).toBe("tide clock");
  });

  it("refuses what cannot be read, with the column of what was typed", () => {
    expect(() => withResolvedTimes("after:7d (a", TYPED_AT)).toThrow("The parenthesis at column 10 is not closed.");
  });
});
