import type { SplitIdentifier } from "@sm/text-index/analysis";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "./query.ts";
import { makeSnippet, type SnippetTerm, snippetTerms } from "./snippet.ts";

const NOT_SPLIT: SplitIdentifier = () => [];

function termsOf(query: string, split = NOT_SPLIT): SnippetTerm[] {
  return snippetTerms(parseQuery(query), split);
}

function snippet(text: string, query: string, length = 200) {
  const result = makeSnippet(text, termsOf(query), { length });
  return { text: result.snippet, marked: result.highlights.map(([start, end]) => result.snippet.slice(start, end)) };
}

function* cutInto(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

describe("makeSnippet", () => {
  it.each([
    ["A word in a text", "WORD", ["word"]],
    ["let x = getUserName(user)", "user", ["User", "user"]],
    ["let x = getUserName(user)", "userName", ["UserName"]],
    ["let x = getUserName(user)", "getUserName", ["getUserName"]],
    ["let x = getUserName(user)", "getusername", ["getUserName"]],
    ["let x = getUserName(user)", "GETUSERNAME", ["getUserName"]],
    ["let x = getUserName(user)", "get_user_name", ["getUserName"]],
    ["let x = getUserName(user)", "getuserna*", ["getUserName"]],
    ["let x = getUserName(user)", "name", ["Name"]],
    ["let x = getUserName(user)", "na*", ["Name"]],
    ["let x = getUserName(user)", "user_na*", ["UserName"]],
    ["let x = getUserName(user)", '"x getusername"', ["x = getUserName"]],
    ["new HTTPServer", "HttpServer", ["HTTPServer"]],
    ["new HTTPServer", "httpserver", ["HTTPServer"]],
    ["new HTTPServer", "http", ["HTTP"]],
    ["JavaScript heap out", '"javascript heap"', ["JavaScript heap"]],
    ["JavaScript heap out", "heap java", ["Java", "heap"]],
    ["src/UserList.tsx", "userlist.tsx", ["UserList.tsx"]],
    ["größeMax, Größe", "GRÖSSEMAX grosse", ["größeMax", "Größe"]],
    ["get_user_name or getusername", "getUserName", ["get_user_name", "getusername"]],
    ["the quick brown fox, quick", '"quick brown"', ["quick brown"]],
    ["overlap of one two three", '"one two" "two three"', ["one two three"]],
    ["prefix prefer pretty", "pref*", ["prefix", "prefer"]],
    ["Ein Cafe\u0301 in der Straße", "café strasse", ["Cafe\u0301", "Straße"]],
    ["用中文搜索", "中文搜", ["中文搜"]],
    ["用中文搜索", "文", ["文"]],
    ["𠮷野家", "𠮷", ["𠮷"]],
    ["well done 🎉!", "🎉", ["🎉"]],
    ["שָׁלוֹם עולם", "שלום", ["שָׁלוֹם"]],
    ["keep a drop b", "a -b", ["a"]],
    ["one two three four", "(one OR four) -(two OR three)", ["one", "four"]],
    ["let x = getUserName(user)", "~serNa", ["serNa"]],
    ["let x = getUserName(user)", '~"= getu" user', ["= getUser", "user"]],
    ["x.sort(a).sort(b)", "~.sort(", [".sort(", ".sort("]],
    ["die GRÖSSE der Cafe\u0301s", "~größ ~fés", ["GRÖSS", "fe\u0301s"]],
    ["用中文搜索React", "~文搜索r", ["文搜索R"]],
    ["src/app.ts", "tool:edit file:app.ts role:tool", []],
  ])("marks in %s the matches of %s", (text, query, expected) => {
    const result = snippet(text, query);
    expect(result.text).toBe(text);
    expect(result.marked).toEqual(expected);
  });

  it.each([
    ["let x = getUserName(user)", "username", ["UserName"]],
    ["user_name, user name", "username", ["user_name", "user name"]],
    ["JavaScript getUserName", '"javascript get user"', ["JavaScript getUser"]],
  ])("marks in %s what %s finds by an identifier of another text", (text, query, expected) => {
    const known: Record<string, string[][]> = { username: [["user", "name"]], javascript: [["java", "script"]] };
    const split: SplitIdentifier = (word) => known[word] ?? [];
    const result = makeSnippet(text, termsOf(query, split), { length: 200 });
    expect(result.highlights.map(([start, end]) => text.slice(start, end))).toEqual(expected);
  });

  it("cuts at word borders and marks the cuts", () => {
    const filler = "lorem ipsum dolor sit amet ".repeat(50);
    const result = snippet(`${filler}needle ${filler}`, "needle");
    expect(result.marked).toEqual(["needle"]);
    expect(result.text).toMatch(/^…(lorem|ipsum|dolor|sit|amet) .* needle .*(lorem|ipsum|dolor|sit|amet)…$/);
    expect(result.text.length).toBeGreaterThan(170);
    expect(result.text.length).toBeLessThanOrEqual(202);
    expect(snippet(`needle ${filler}`, "needle").text).toMatch(/^needle .{150,}…$/);
    expect(snippet(`${filler}needle`, "needle").text).toMatch(/^….{150,} needle$/);
  });

  it("puts a text into one line without control characters", () => {
    expect(snippet("\n  if (a)\n\t\treturn\u00a0\u001b b;\r\n", "return").text).toBe("if (a) return b;");
  });

  it("prefers the window with the most terms, then the earliest", () => {
    const gap = "filler ".repeat(5000);
    expect(snippet(`one ${gap} two ${gap} two X one ${gap} one Y two`, "one two").text).toContain("two X one");
    expect(snippet(`one A ${gap} one B`, "one three").text).toContain("one A");
  });

  it("finds a window and a phrase that lie across slices", () => {
    for (let shift = -40; shift <= 40; shift += 8) {
      const before = "x ".repeat(8 * 1024 + shift);
      expect(snippet(`one ${before}one two three ${before}`, '"one two" three').marked).toEqual(["one two", "three"]);
      expect(snippet(`one ${before}one two three ${before}`, '~"wo thr"').marked).toEqual(["wo thr"]);
    }
  });

  it("shows the beginning where nothing matches", () => {
    expect(makeSnippet(`${"ab ".repeat(100)}`, termsOf("missing"), { length: 20 })).toEqual({
      snippet: "ab ab ab ab ab ab ab…",
      highlights: [],
    });
    expect(makeSnippet("", termsOf("missing"), { length: 20 })).toEqual({ snippet: "", highlights: [] });
  });

  it("clips a match that is longer than the snippet", () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    const result = makeSnippet(`${words} end`, termsOf(`"${words}"`), { length: 100 });
    expect(result.snippet.length).toBeLessThanOrEqual(101);
    expect(result.highlights).toEqual([[0, result.snippet.length - 1]]);
  });

  it("stays quick in a text of 20 MB", () => {
    const line = "2026-01-02 INFO request the served in 12 ms\n";
    const text = `${line.repeat(Math.ceil((20 * 1024 * 1024) / line.length))}the needle`;
    const started = performance.now();
    expect(snippet(text, "the needle").marked.slice(-2)).toEqual(["the", "needle"]);
    expect(snippet(text, "the absent").marked[0]).toBe("the");
    expect(snippet(text.replaceAll("12", "é "), "needle").marked).toEqual(["needle"]);
    expect(snippet(text, '~"he need" ~absent').marked).toEqual(["he need"]);
    expect(performance.now() - started).toBeLessThan(8000);
  });

  describe("of a text in pieces", () => {
    const filler = "lorem ipsum 中文 dolor 😀 ".repeat(2000);
    it.each([
      ["at the beginning", `\n needle in ${filler}`],
      ["in the middle", `${filler}the needle in ${filler}`],
      ["at the end", `${filler}needle \n\n`],
      ["several times, once beside the other", `needle ${filler}needle 😀 haystack ${filler}`],
      ["behind much white space", `lorem${" \n".repeat(10_000)}needle${" \n".repeat(10_000)}`],
      ["in a run without spaces", `${"中😀".repeat(5000)}needle${"中😀".repeat(5000)}`],
      ["nowhere", filler],
    ])("shows the same where the words stand %s", (_, text) => {
      const terms = termsOf("needle haystack 😀 ~eedle");
      const whole = makeSnippet(text, terms, { length: 200 });
      for (const size of [1, 63, 4096, 5000, 65_536]) {
        expect(makeSnippet(cutInto(text, size), terms, { length: 200 })).toEqual(whole);
      }
    });

    it("shows the same of any text", () => {
      const anyLength = fc.constantFrom(1, 2, 40, 500, 3000);
      const fragment = fc.constantFrom(
        "needle",
        "getUser",
        "needle lorem ",
        " ",
        "\n\n",
        "中文",
        "😀",
        "e\u0301",
        "\ud83d",
        ".",
      );
      const written = fc.array(
        fc.tuple(fragment, anyLength).map(([text, count]) => text.repeat(count)),
        { maxLength: 12 },
      );
      const query = fc.constantFrom(
        "needle user",
        "文 needle",
        '"needle lorem"',
        '~"eedle 中"',
        "absent",
        "~eedle OR é",
      );
      fc.assert(
        fc.property(written, query, fc.integer({ min: 1, max: 20_000 }), (fragments, words, size) => {
          const text = fragments.join("");
          const terms = termsOf(words);
          const whole = makeSnippet(text, terms, { length: 60 });
          expect(makeSnippet(fragments, terms, { length: 60 })).toEqual(whole);
          expect(makeSnippet(cutInto(text, size), terms, { length: 60 })).toEqual(whole);
        }),
        { numRuns: 200 },
      );
    });

    it("reads on only as far as it has to", () => {
      const pieces = cutInto(`${filler}needle ${filler.repeat(3)}`, 1000);
      expect(makeSnippet(pieces, termsOf("needle"), { length: 200 }).snippet).toContain("needle");
      const rest = [...pieces].join("");
      expect(rest.length).toBeGreaterThan(2 * filler.length);
    });
  });

  it("yields well-formed, sorted and separate highlights for any text", () => {
    const piece = fc.constantFrom(
      "needle",
      "getUser",
      " ",
      "\n\n",
      "中文",
      "😀",
      "e\u0301",
      "x".repeat(30),
      "👩‍💻",
      ".",
      "lorem ",
    );
    const query = fc.constantFrom(
      "needle",
      "user",
      "中 needle",
      "😀",
      "文",
      "é*",
      '"needle needle"',
      '~"eed lem"',
      "~tus OR ~中文中",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 80 }),
        query,
        fc.integer({ min: 1, max: 60 }),
        (pieces, words, length) => {
          const { snippet: line, highlights } = makeSnippet(pieces.join(""), termsOf(words), { length });
          expect(line).not.toMatch(/\p{Surrogate}/u);
          expect(line).not.toMatch(/\s\s|\n/);
          expect(line.length).toBeLessThanOrEqual(length + 2);
          let last = -1;
          for (const [start, end] of highlights) {
            expect(start).toBeGreaterThan(last);
            expect(end).toBeGreaterThan(start);
            expect(line.slice(start, end)).not.toMatch(/\p{Surrogate}/u);
            last = end;
          }
          expect(last).toBeLessThanOrEqual(line.length);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
