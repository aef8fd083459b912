import { containsFolded, tokenize } from "@sm/text-index/analysis";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printQuery } from "../../search/query.ts";
import type { PositiveNode, QueryNode } from "../../search/query-tree.ts";
import { partCode } from "./part-codes.ts";
import { documentOf, searchDocuments } from "./search.fixture.ts";

describe("words and phrases", () => {
  const TEXTS = [
    "the quick brown fox",
    "the brown quick fox",
    "const userName = getUserName(user_name);",
    "get a user whose name is Zoë",
    "quicker than the Fox",
    "日本語の文字列を探す",
    "see src/app.test.ts, line 12",
  ];
  const documents = TEXTS.map((text) => documentOf(text));

  it.each([
    ["quick fox", [0, 1]],
    ["quick OR line", [0, 1, 6]],
    ["fox -brown", [4]],
    ["fox -(brown OR quicker)", []],
    ['"quick brown"', [0]],
    ['"brown quick"', [1]],
    ["quick*", [0, 1, 4]],
    ['"the quick*"', [0]],
    ['"the qu"*', [0]],
    ['"brown qu"*', [1]],
    ["username", [2]],
    ["getUserName", [2]],
    ["getusername", [2]],
    ["get_user_name", [2]],
    ["getuser*", [2]],
    ["name", [2, 3]],
    ["zoe", [3]],
    ["文字", [5]],
    ["字列", [5]],
    ["文列", []],
    ["app.test.ts", [6]],
    ["(quick -brown) OR (user -zoe)", [2]],
    ["nowhere", []],
    ["nowhere OR 12", [6]],
  ])("%s finds %j", (query, expected) => {
    expect(searchDocuments(documents, query)).toMatchObject({ found: expected, isComplete: true });
  });
});

describe("substrings", () => {
  const TEXTS = [
    "preprocessor",
    "a pre processor",
    "onPreProcess",
    "pre-process",
    "it is an Error",
    "isError",
    "a.b.c d",
  ];
  const documents = TEXTS.map((text) => documentOf(text));

  it.each([
    ["~processor", [0, 1]],
    ["~eproc", [0, 2]],
    ["~re-pro", [3]],
    ['~"re pro"', [1]],
    ["~serr", [5]],
    ["~a.b.c", [6]],
    ["~a.b", [6]],
    ['~"c d"', [6]],
    ["~-pr", [3]],
    ['~"b.c d"', [6]],
    ["-~process error", [4, 5]],
  ])("%s finds %j", (query, expected) => {
    expect(searchDocuments(documents, query)).toMatchObject({ found: expected, isComplete: true });
  });

  it("read no text where a word of the index has them", () => {
    expect(searchDocuments(documents, "~processor").verified).toBe(0);
    expect(searchDocuments(documents, "~re-pro").verified).toBeGreaterThan(0);
  });

  it("read the newest texts right away where their pieces begin or end very many words", () => {
    const { found, verified, isComplete } = searchDocuments(documents, "~a.b", { steps: 0 });
    expect({ found, verified, isComplete }).toEqual({ found: [6], verified: documents.length, isComplete: true });
    expect(searchDocuments(documents, "~a.b", { mostVerified: 5 })).toMatchObject({ found: [], isComplete: false });
  });
});

describe("a substring that very many texts may have", () => {
  // Each has the words; a hundred have them in another way than one of them.
  const others = Array.from({ length: 100 }, (_, n) => documentOf(`then${n} of the. order${n}`));
  const documents = [...others, documentOf("when of the orderly"), documentOf("an of the orders")];

  it.each([
    ['~"hen of the orde"', [100], 1],
    ['~"n of the o"', [100, 101], 2],
    ['~"of the order"', [100, 101], 102],
  ])("%s is compared by the places of all its pieces before texts are read", (query, found, verified) => {
    const search = searchDocuments(documents, query, { perSegment: 40 });
    expect(search).toMatchObject({ found, isComplete: true });
    expect(search.verified).toBeLessThanOrEqual(verified);
  });
});

describe("what is excluded", () => {
  const documents = Array.from({ length: 20 }, (_, n) => documentOf(`foo bar${n % 2 === 0 ? "-" : " "}baz${n}`));

  it("stays away where not all texts can be read", () => {
    const search = searchDocuments(documents, 'foo -~"bar baz"', { mostVerified: 5 });
    expect(search.found.every((number) => number % 2 === 0)).toBe(true);
    expect(search.isComplete).toBe(false);
    expect(searchDocuments(documents, 'foo -~"bar baz"').found).toHaveLength(10);
  });

  it.each(["foo -ba*", 'foo -"bar baz"*', "foo -~baz", "foo -(zzz OR ba*)"])(
    "stays away in %s at any cost",
    (query) => {
      for (const stepsForExclusion of [0, 100, 1_000, 5_000]) {
        const search = searchDocuments(documents, query, { stepsForExclusion });
        expect(search.found).toEqual([]);
      }
    },
  );
});

describe("fields", () => {
  const documents = [
    documentOf("a", { code: partCode("tool_call", "tool") }, [
      ["tool", "Bash"],
      ["file", "/home/x/src/app.ts"],
    ]),
    documentOf("b", { code: partCode("text", "assistant"), timestamp: 1_000 }, [["model", "claude-opus-4-5"]]),
    documentOf("c", { timestamp: 2_000, key: 7 }, [["file", "src\\lib\\App.tsx"]]),
    documentOf("d", { timestamp: null }, [["tool", "bash_output"]]),
  ];

  it.each([
    ["tool:bash", [0]],
    ["tool:bash*", [0, 3]],
    ["tool:out", []],
    ["model:opus", [1]],
    ["model:opus-4", [1]],
    ["model:Claude-Opus-4-5", [1]],
    ["model:opus-5", []],
    ["model:op*", [1]],
    ["model:op", []],
    ["file:app.ts", [0]],
    ["file:app.ts*", [0, 2]],
    ["file:src", [0, 2]],
    ["file:src/app.ts", [0]],
    ["file:src/lib/app.tsx", [2]],
    ["file:rc/app.ts", []],
    ["file:*.ts", [0]],
    ["file:a*.ts*", [0, 2]],
    ["file:/home/*/src/*", [0]],
    ["role:user", [2, 3]],
    ["role:tool", [0]],
    ["role:all", [0, 1, 2, 3]],
    ["-role:user tool:bash", [0]],
    ["after:1970-01-01T00:00:01Z", [1, 2]],
    ["before:1970-01-01T00:00:01Z", [0]],
    ["after:1970-01-01T00:00:01Z before:1970-01-01T00:00:02Z", [1]],
  ])("%s finds %j", (query, expected) => {
    expect(searchDocuments(documents, query)).toMatchObject({ found: expected, isComplete: true });
  });

  it("of files find a path of any length by its beginning, by its end and as a whole", () => {
    const path = `/home/dev/${"monorepo/packages/".repeat(40)}src/Deep.test.ts`;
    const others = ["src/deep.ts", `/home/dev/${"monorepo/packages/".repeat(41)}src/Other.ts`];
    const long = [path, ...others].map((file) => documentOf("a", {}, [["file", file]]));
    for (const value of ["deep.test.ts", "src/deep.test.ts", "packages/src/*.test.ts", path]) {
      expect(searchDocuments(long, `file:${value}`).found).toEqual([0]);
    }
    expect(searchDocuments(long, "file:home/dev/monorepo").found).toEqual([0, 2]);
  });

  it("of sessions are looked up", () => {
    const world = {
      ofAgent: () => new Set<number>(),
      inProject: (text: string) => new Set(text === "shop" ? [7] : []),
      tagged: ({ value, prefix }: { value: string; prefix: boolean }) => new Set(value === "wip" && !prefix ? [7] : []),
      inState: (state: string) => new Set(state === "favorite" ? [7] : [1]),
      named: () => new Set([1]),
    };
    const find = (query: string) => searchDocuments(documents, query, { world }).found;
    expect(find("project:shop")).toEqual([2]);
    expect(find("-project:shop a")).toEqual([0]);
    expect(find("tag:wip")).toEqual([2]);
    expect(find("tag:wip*")).toEqual([]);
    expect(find("is:favorite")).toEqual([2]);
    expect(find("is:live b")).toEqual([1]);
    expect(find("name:anything -b")).toEqual([0, 3]);
  });
});

describe("any query", () => {
  const WORDS = ["foo", "bar", "food", "ba", "x1"];
  const word = fc.constantFrom(...WORDS);
  const text = fc
    .array(fc.tuple(word, fc.constantFrom(" ", "-", ". ", "\n")), { maxLength: 8 })
    .map((pieces) => pieces.flat().join(""));
  const leaf = fc.oneof(
    fc.record({ type: fc.constant("term" as const), text: word, quoted: fc.constant(false), prefix: fc.boolean() }),
    fc.record({
      type: fc.constant("term" as const),
      text: fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => words.join(" ")),
      quoted: fc.constant(true),
      prefix: fc.boolean(),
    }),
    fc.record({
      type: fc.constant("substring" as const),
      text: fc.constantFrom("foo", "o-ba", "oo. b", "ood", "o ba", "bar"),
    }),
  );
  const { node } = fc.letrec<{ node: PositiveNode; any: QueryNode }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.record({ type: fc.constant("or" as const), nodes: fc.array(tie("node"), { minLength: 2, maxLength: 3 }) }),
      fc
        .tuple(tie("node"), fc.array(tie("any"), { minLength: 1, maxLength: 2 }))
        .map(([first, others]) => ({ type: "and" as const, nodes: [first, ...others] })),
    ),
    any: fc.oneof(
      tie("node"),
      tie("node").map((inner): QueryNode => ({ type: "not", node: inner })),
    ),
  }));

  /** What a query means, without an index. */
  function matches(query: QueryNode, document: string): boolean {
    switch (query.type) {
      case "and":
        return query.nodes.every((child) => matches(child, document));
      case "or":
        return query.nodes.some((child) => matches(child, document));
      case "not":
        return !matches(query.node, document);
      case "substring":
        return containsFolded(document, query.text);
      case "term": {
        const wanted = tokenize(query.text).map(({ term }) => term);
        const terms = tokenize(document).map(({ term }) => term);
        return terms.some((_, start) =>
          wanted.every((each, place) => {
            const isOpen = query.prefix && place === wanted.length - 1;
            const term = terms[start + place];
            return isOpen ? term?.startsWith(each) === true : term === each;
          }),
        );
      }
      default:
        throw new Error(`No oracle for ${query.type}.`);
    }
  }

  it("finds what reading all texts would find", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), node, (texts, query) => {
        const documents = texts.map((each) => documentOf(each));
        const { found } = searchDocuments(documents, printQuery(query));
        const expected = texts.flatMap((each, place) => (matches(query, each) ? [place] : []));
        expect(found).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("finds nothing wrong where its budget ends, and says so", () => {
    const documents = Array.from({ length: 50 }, (_, n) => documentOf(`foo${n} bar foo${n + 1}`));
    const query = '"bar foo"* bar';
    const all = searchDocuments(documents, query);
    expect(all).toMatchObject({ isComplete: true, found: { length: 50 } });
    for (const steps of [0, 10, 100, 500, 1000]) {
      const some = searchDocuments(documents, query, { steps });
      expect(all.found).toEqual(expect.arrayContaining(some.found));
      expect(some.isComplete).toBe(some.found.length === 50);
    }
  });
});
