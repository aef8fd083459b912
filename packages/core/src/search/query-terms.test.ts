import { type SplitIdentifier, tokenize } from "@sm/text-index/analysis";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryIndex } from "./memory-index.fixture.ts";
import { parseQuery } from "./query.ts";
import { termSections } from "./query-terms.ts";
import { makeSnippet, snippetTerms } from "./snippet.ts";

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

/** Phrases as they would be typed, with `|` between them. */
function sections(query: string, how: SplitIdentifier = split): string[] {
  const node = parseQuery(query);
  if (node.type !== "term") throw new Error(`${query} is no term`);
  return termSections(node, how).map((section) =>
    section.map(({ terms, prefix }) => `${terms.join(" ")}${prefix ? "*" : ""}`).join(" | "),
  );
}

function finds(query: string, text: string): boolean {
  return new MemoryIndex([text]).select(query).length === 1;
}

describe("termSections", () => {
  it.each([
    ["Word", "word"],
    ["get_user_name", "get user name"],
    ["src/index.ts", "src index ts"],
    ["getUserName", "get user name | getusername | get username"],
    ["GETUSERNAME", "getusername | get user name | get username"],
    ["src/userName.ts", "src user name ts | src username ts"],
    ['"getFile x"', "get file x | getfile x"],
    ['"x username"', "x username | x user name"],
    ["getuserna", "getuserna"],
    ["getuserna*", "getuserna* | get user na*"],
    ["getuserna.x*", "getuserna x*"],
    ["pre*", "pre*"],
    ["get_us*", "get us*"],
    ["getUs*", "get us* | getus*"],
    ["中", "中*"],
    ["中文", "中文"],
    ["中文字", "中文 文字"],
    ['"中文 中"', "中文 文 中*"],
    ["使用React", "使用 用 react"],
    ["Café", "cafe"],
    ["NEAR(a,", "near a"],
  ])("knows how %s may stand in the index", (text, expected) => {
    expect(sections(text)).toEqual([expected]);
  });

  it("has nothing to look for where there are no words", () => {
    expect(termSections({ type: "term", text: "->", quoted: true, prefix: false }, split)).toEqual([]);
  });

  it("gives a term that could be spelled in too many ways in sections", () => {
    const six = (name: string) => Array.from({ length: 6 }, () => name).join(" ");
    const [first = "", ...others] = sections(`"${six("username")} x username y"*`);
    expect(others).toEqual(["username y* | user name y*"]);
    const phrases = first.split(" | ");
    expect(phrases).toHaveLength(64);
    expect(phrases[0]).toBe(`${six("username")} x`);
    expect(phrases.at(-1)).toBe(`${six("user name")} x`);
  });

  it("begins with what was typed where a word comes apart in too many ways", () => {
    const many: SplitIdentifier = () => Array.from({ length: 500 }, (_, index) => ["a", `b${index}`]);
    const phrases = sections("aB*", many).flatMap((section) => section.split(" | "));
    expect(phrases).toHaveLength(64);
    expect(phrases.slice(0, 3)).toEqual(["a b*", "ab*", "a b0*"]);
  });
});

describe("finding by terms", () => {
  it.each([
    ["getusername", "let x = getUserName()"],
    ["GETUSERNAME", "let x = getUserName()"],
    ["getuserna*", "let x = getUserName()"],
    ["getu*", "let x = getUserName()"],
    ["GETUS*", "let x = getUserName()"],
    ["getUserName*", "let x = getUserNameById()"],
    ['"x getuserna"*', "let x = getUserName()"],
    ["userName", "let x = getUserName()"],
    ["user_name", "let x = getUserName()"],
    ["get_user_name", "let x = getUserName()"],
    ["getUserName", "let x = get_user_name()"],
    ["userName", "let x = get_user_name()"],
    ["getUserName", "let x = getusername()"],
    ["getusername", "let x = getusername()"],
    ['"getUserName"', "get_user_name"],
    ['"user x"', "getUser, x"],
    ["username", "let userName = getUserName()"],
    ["get-user", "let x = getUserName()"],
    ["name", "let x = getUserName()"],
    ["USER", "let x = getUserName()"],
    ["server", "new HTTPServer"],
    ["http", "new HTTPServer"],
    ["httpserver", "new HTTPServer"],
    ["HttpServer", "new HTTPServer"],
    ["HTTPServer", "new HttpServer"],
    ["https*", "new HTTPServer"],
    ["utf8s*", "UTF8String"],
    ["naivebayes", "naïveBayes"],
    ["NAÏVEBAYES", "naïveBayes"],
    ["größem*", "GRÖSSE größeMax"],
    ["ab3de5fg7hj9kl", "key aB3dE5fG7hJ9kL"],
    ["aB3dE5*", "key aB3dE5fG7hJ9kL"],
    ['"javascript heap"', "JavaScript heap out of memory"],
    ["javascript heap", "JavaScript heap out of memory"],
    ["java", "JavaScript heap out of memory"],
    ["javas*", "JavaScript heap out of memory"],
    ['"JAVASCRIPT HEAP O"*', "JavaScript heap out of memory"],
    ['"javascript heap out of memory"', "FATAL: JavaScript heap out of memory"],
    ['"use typescript for github actions"', "Use TypeScript for GitHub Actions"],
    ["userlist.tsx", "UserList.tsx"],
    ["user_list.tsx", "UserList.tsx"],
    ["UserList", "UserList.tsx"],
    ["components/userlist*", "src/components/UserList.tsx"],
    ["components/userlist*", "src/components/UserListItem.tsx"],
    ["components/userlist.tsx", "src/components/UserList.tsx"],
    ["components/UserList.tsx", "src/components/user_list.tsx"],
    ["src/index.ts", "edit src/index.ts:10 please"],
    ["1.2.3", "version v9 and 1.2.3-beta"],
    ["--no-verify", "git commit --no-verify"],
    ["deadbeef*", "commit deadbeef0123"],
    ["getUs*", "getUserName"],
    ["get_us*", "getUserName"],
    ["getUs*", "get_user_name"],
    ['"quick br"*', "the quick brown fox"],
    ["cafe", "Café"],
    ["CAFÉ", "cafe"],
    ["cafe", "cafe\u0301"],
    ["strasse", "STRASSE"],
    ["straße", "STRASSE"],
    ["οδος", "ΟΔΟΣ"],
    ["full", "ＦＵＬＬ"],
    ["file", "ﬁle"],
    ["שלום", "שָׁלוֹם עולם"],
    ["中文", "用中文搜索"],
    ["文搜", "用中文搜索"],
    ["中文搜索", "用中文搜索。"],
    ["用", "用中文搜索"],
    ["索", "用中文搜索"],
    ["文", "用中文搜索"],
    ["搜索react", "用中文搜索React"],
    ['"中文 react 搜"', "中文 React 搜索"],
    ["コーヒー", "熱いコーヒーを"],
    ["がく", "か\u3099くせい"],
    ["한국", "대한민국 한국어"],
    ["🎉", "done🎉🎉"],
    ["👩‍💻", "a 👩‍💻 b"],
    ["✓ -✗", "✓ passed"],
    ['"passed ✓"', "passed✓"],
    ["bar -baz", "foo bar"],
    ["x".repeat(80), `hash ${"x".repeat(80)}`],
    ['and or NOT NEAR(a b, 2) ^ * "c + d" {e}:f', "or not near a and b 2 c d e f"],
    ["(missing OR bar) -(baz OR foo x)", "foo bar"],
    ["v1.2", "version v1.2.3"],
    ["0xdead*", "at 0xDEADBEEF"],
  ])("finds %s in %s", (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it.each([
    ["username", "let x = getUserName()"],
    ["name_user", "let x = getUserName()"],
    ["user_of", "getUser(nameOf)"],
    ["getusername", "let x = getUserId()"],
    ["getuserna*", "let x = getUserId()"],
    ['"javascript memory"', "JavaScript heap out of memory"],
    ["vascript", "JavaScript heap out of memory"],
    ["heap -javascript", "JavaScript heap out of memory"],
    ["get", "gets"],
    ["index/src", "src/index.ts"],
    ['"brown quick"', "the quick brown fox"],
    ["文中", "用中文搜索"],
    ["中文索", "用中文搜索"],
    ["か", "がくせい"],
    ["bar -foo", "foo bar"],
    ["foo -user", "foo getUserName"],
    ['bar -"foo bar"', "foo bar"],
    ["foo missing", "foo bar"],
    ["(foo OR missing) -(bar -baz)", "foo bar"],
    ["✓", "passed v"],
    ["a1", "a1b2c3"],
  ])("does not find %s in %s", (query, text) => {
    expect(finds(query, text)).toBe(false);
  });

  const anyWord = fc.constantFrom("getUser", "HTTPServer", "foo_bar", "Café", "GitHub", "✓", "42", "данные", "漢字");

  it("finds a text by any of its slices between words and by any two adjacent CJK characters", () => {
    const pieces = fc.array(anyWord, { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(pieces, fc.nat(), fc.nat(), fc.nat(), (words, from, count, typed) => {
        const start = from % words.length;
        const slice = words.slice(start, start + 1 + (count % words.length));
        const phrase = slice.join(" ");
        expect(finds(`"${phrase}"`, words.join(" "))).toBe(true);
        expect(finds(`"${phrase.toUpperCase()}"`, words.join(" "))).toBe(true);
        expect(finds(`"${phrase.toLowerCase()}"`, words.join(" "))).toBe(true);
        const last = slice.at(-1) ?? "";
        const beginning = phrase.slice(0, phrase.length - (typed % last.length)).toLowerCase();
        // After punctuation there is no word of which a star could be the rest.
        if (!beginning.endsWith("_")) expect(finds(`"${beginning}"*`, words.join(" "))).toBe(true);
      }),
      { numRuns: 300 },
    );
    const cjk = fc.string({ unit: fc.constantFrom(..."漢字仮名が한글𠮷ー"), minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(cjk, fc.nat(), (run, from) => {
        const characters = Array.from(run);
        const start = from % (characters.length - 1);
        expect(finds(characters.slice(start, start + 2).join(""), `x${run}y`)).toBe(true);
      }),
    );
  });

  it("has something to highlight in every text that it finds", () => {
    const joints = fc.array(fc.constantFrom("", " ", "_"), { minLength: 12, maxLength: 12 });
    let tried = 0;
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(anyWord, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.nat(),
        joints,
        (words, from, count, between) => {
          tried += 1;
          const text = words.join(" ");
          const terms = tokenize(text).map((token) => token.term);
          const start = from % terms.length;
          const asked = terms.slice(start, start + 1 + (count % 4));
          const query = `"${asked.map((term, place) => term + between[place]).join("")}"`;
          if (!finds(query, text)) return;
          found += 1;
          const { highlights } = makeSnippet(text, snippetTerms(parseQuery(query), new MemoryIndex([text]).split), {
            length: 1000,
          });
          expect(highlights).not.toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
    expect(found).toBeGreaterThan(tried / 4);
  });

  it("finds a long phrase of identifiers in any spelling", () => {
    const names = "TypeScript GitHub userName JavaScript timeOut dataBase webSocket fileName setUp PostgreSQL".split(
      " ",
    );
    const phrase = `a ${names.join(" and ")}`;
    expect(finds(`"${phrase}"`, phrase)).toBe(true);
    expect(finds(`"${phrase.toLowerCase()}"`, phrase)).toBe(true);
    expect(finds(`"${phrase.toLowerCase()}"`, `${phrase.toLowerCase()}; ${names.join(", ")}`)).toBe(true);
    expect(finds(`"${phrase.toLowerCase()}"`, phrase.replace("and fileName", ""))).toBe(false);
    const index = new MemoryIndex([`x ${phrase}`, `x ${names.join(" ")}`]);
    expect(index.select(`x -"${phrase.toLowerCase()}"`)).toEqual([1]);
  });

  it("takes as many words as a query may have", () => {
    const letters = Array.from({ length: 250 }, (_, index) => (index % 36).toString(36));
    expect(finds(letters.join(" "), letters.join(" "))).toBe(true);
    expect(finds("a.".repeat(499), letters.join(" "))).toBe(false);
    expect(finds(`"${"aB ".repeat(332)}"`, "aB ".repeat(332))).toBe(true);
  });
});
