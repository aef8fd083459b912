import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { AppError } from "../errors.ts";
import { IDENTIFIERS_SQL, Identifiers } from "../node/index/identifiers.ts";
import { parseQuery, queryTerms, type SplitIdentifier, toFts5 } from "./query.ts";
import { makeSnippet } from "./snippet.ts";
import { indexText, tokenize } from "./tokens.ts";

/** The rules of this folder against the tokenizer and the query language that they are made for. */
const database = new Database(":memory:");
database.exec("CREATE VIRTUAL TABLE parts USING fts5(text, content='', contentless_delete=1, tokenize='ascii')");
database.exec("CREATE VIRTUAL TABLE instances USING fts5vocab(parts, 'instance')");
database.exec(IDENTIFIERS_SQL);
const identifiers = new Identifiers(database);
const split: SplitIdentifier = (word, prefix) => identifiers.split(word, prefix);
const insert = database.prepare("INSERT INTO parts(rowid, text) VALUES (?, ?)");
const selectMatching = database.prepare<[string]>("SELECT rowid FROM parts WHERE parts MATCH ?").pluck();
const listTerms = database.prepare("SELECT term FROM instances ORDER BY doc, offset").pluck();

afterAll(() => database.close());

function fill(texts: readonly string[]): void {
  database.exec("DELETE FROM parts; DELETE FROM identifiers");
  identifiers.forgetUncommitted();
  texts.forEach((text, index) => {
    insert.run(
      index + 1,
      indexText(text, (parts) => identifiers.add(parts)),
    );
  });
}

function select(query: string): unknown[] {
  return selectMatching.all(toFts5(parseQuery(query), split));
}

function finds(query: string, text: string): boolean {
  fill([text]);
  return select(query).length === 1;
}

describe("search in FTS5", () => {
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
    ['AND OR NOT NEAR(a b, 2) ^ * "c + d" {e}:f', "or not near a and b 2 c d e f"],
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
    ["✓", "passed v"],
    ["a1", "a1b2c3"],
  ])("does not find %s in %s", (query, text) => {
    expect(finds(query, text)).toBe(false);
  });

  it("holds the terms of tokenize, in its order", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(..."aBc9_. é中文ー😀\u0301\0\ud800ßΣ"), maxLength: 80 }),
      fc.constantFrom("getUserName ".repeat(9), "aB".repeat(400), "中".repeat(70), "é".repeat(70)),
    );
    fc.assert(
      fc.property(text, (value) => {
        fill([value]);
        expect(listTerms.all()).toEqual(tokenize(value).map((token) => token.term));
      }),
      { numRuns: 500 },
    );
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
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(anyWord, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.nat(),
        joints,
        (words, from, count, between) => {
          const text = words.join(" ");
          const terms = tokenize(text).map((token) => token.term);
          const start = from % terms.length;
          const asked = terms.slice(start, start + 1 + (count % 4));
          const query = `"${asked.map((term, place) => term + between[place]).join("")}"`;
          if (!finds(query, text)) return;
          found += 1;
          const { highlights } = makeSnippet(text, queryTerms(parseQuery(query), split), { length: 1000 });
          expect(highlights).not.toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
    expect(found).toBeGreaterThan(500);
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
    fill([`x ${phrase}`, `x ${names.join(" ")}`]);
    expect(select(`x -"${phrase.toLowerCase()}"`)).toEqual([2]);
  });

  it("takes every query that is parsed", () => {
    const hostile = fc.array(
      fc.constantFrom(
        '"',
        "*",
        "^",
        "(",
        ")",
        "{",
        "}",
        ":",
        "+",
        "-",
        "AND",
        "OR",
        "NOT",
        "NEAR(",
        "a",
        "aB",
        " ",
        "\0",
        "'",
        ";",
        "中",
        "--",
        "\\",
        "é",
      ),
      { maxLength: 30 },
    );
    fill(["a aB"]);
    fc.assert(
      fc.property(hostile, (pieces) => {
        let match: string;
        try {
          match = toFts5(parseQuery(pieces.join("")), split);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          return;
        }
        expect(() => selectMatching.all(match)).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });

  it("takes as many terms as a query may have", () => {
    const letters = Array.from({ length: 250 }, (_, index) => (index % 36).toString(36));
    fill([letters.join(" ")]);
    expect(select(`${letters.join(" ")} ${"a ".repeat(249)}`)).toEqual([1]);
    expect(select(`a ${"-zz ".repeat(249)}`)).toEqual([1]);
    expect(select("aB ".repeat(333))).toEqual([1]);
    expect(select("a.".repeat(499))).toEqual([]);
    expect(finds(`"${"aB ".repeat(332)}"`, "aB ".repeat(332))).toBe(true);
  });
});
