import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexText, splitWords, tokenize } from "./tokens.ts";

/** The rule of SQLite's `ascii` tokenizer. */
function asciiTokens(text: string): string[] {
  return (text.match(/[A-Za-z0-9\u0080-\uffff]+/g) ?? []).map((token) =>
    token.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  );
}

const terms = (text: string): string => asciiTokens(indexText(text)).join(" ");

/** Text out of everything that has a rule of its own, lone surrogates and long runs included. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme-ascii", maxLength: 20 }),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(..."aZ09_.-/ étßİıςΣøﬁＡ＋１。、 \u00a0\u200b\u00ad"), maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(..."中文字。カﾊﾞﾟーがか\u3099한글ᄒ\u1161\u11ab𠮷A1 "), maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(..."😀👍🏽❤\ufe0f\u200d🇩🇪─✓™①½\ud800\udc00\ufffd\u0301x"), maxLength: 12 }),
      fc.constantFrom("getUserName2", "HTTPServer", "HttpServer", "naïveBayes", "größeUndMaße", "имяUser", "3FA85F64"),
      fc
        .tuple(fc.constantFrom("a", "aB", "é", "😀", "中", "a+", "1", "\u0301"), fc.integer({ min: 1, max: 600 }))
        .map(([unit, count]) => unit.repeat(count)),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(""));

describe("indexText", () => {
  it.each([
    ["getUserName2", "get user name2"],
    ["HTTPServer", "http server"],
    ["parseJSON", "parse json"],
    ["UTF8String HTML5Parser", "utf8 string html5 parser"],
    ["get_userName", "get user name"],
    ["src/app-main/userList.tsx", "src app main user list tsx"],
    ["my_snake-kebab.dotted/path:12", "my snake kebab dotted path 12"],
    ["v20 utf8 a1b2c3 sha256", "v20 utf8 a1b2c3 sha256"],
    ["0xDEADBEEF", "0x deadbeef"],
    ["3FA85F64-5717-4562-B3FC-2C963F66AFA6", "3fa85f64 5717 4562 b3fc 2c963f66afa6"],
    ["aB3dE5fG7hJ9kL", "ab3de5fg7hj9kl"],
    ["getUser and getUser, GetUser", "get user and get user get user"],
    ["don't a\0b", "don t a b"],
    ["", ""],
  ])("splits identifiers: %s", (text, expected) => {
    expect(terms(text)).toBe(expected);
  });

  it.each([
    ["Café CAFÉ cafe\u0301 Ünïcödé", "cafe cafe cafe unicode"],
    ["Straße STRASSE Łódź Ærø Đà Nẵng", "strasse strasse lodz aero da nang"],
    ["ΟΔΟΣ οδός Ёлка ёлка", "οδοσ οδοσ елка елка"],
    ["İstanbul ışığ", "istanbul isig"],
    ["ﬁle ﬂow ＦＵＬＬ　ｗｉｄｔｈ＋１", "file flow full width 1"],
    ["naïveBayes getÜber", "naive bayes get uber"],
    ["co\u00adoperate zero\u200bwidth nb\u00a0sp", "cooperate zero width nb sp"],
    ["“quoted” — it’s… «so»", "quoted it s so"],
    ["שָׁלוֹם שלום", "שלום שלום"],
    ["مُحَمَّد محمد أحمد", "محمد محمد احمد"],
    ["हिन्दी", "हिन्दी"],
  ])("folds case and diacritics: %s", (text, expected) => {
    expect(terms(text)).toBe(expected);
  });

  it.each([
    ["中文搜索", "中文 文搜 搜索 索"],
    ["字", "字"],
    ["使用React框架。好", "使用 用 react 框架 架 好"],
    ["コーヒー ｺｰﾋｰ", "コー ーヒ ヒー ー コー ーヒ ヒー ー"],
    ["がﾊﾞ か\u3099", "がバ バ が"],
    ["한글 \u1112\u1161\u11ab\u1100\u1173\u11af", "한글 글 한글 글"],
    ["𠮷野家", "𠮷野 野家 家"],
    ["第１章", "第 1 章"],
  ])("writes CJK as overlapping pairs: %s", (text, expected) => {
    expect(terms(text)).toBe(expected);
  });

  it.each([
    ["done✓ok 🎉party", "done ✓ ok 🎉 party"],
    ["👍🏽👩‍💻❤️", "👍 🏽 👩 💻 ❤"],
    ["───── ══", "─ ═"],
    ["20°C €5 a™ 1️⃣", "20 ° c € 5 a ™ 1"],
    ["\ue0b0main", "\ue0b0 main"],
    ["a\ud800b\udc00c\ufffdd", "a b c d"],
  ])("keeps symbols apart from words: %s", (text, expected) => {
    expect(terms(text)).toBe(expected);
  });

  it("cuts words after 64 characters without splitting a character", () => {
    expect(terms(`x ${"a".repeat(64)} ${"b".repeat(65)}c d`)).toBe(`x ${"a".repeat(64)} ${"b".repeat(64)} d`);
    expect(terms(`${"ж".repeat(100)} y`)).toBe(`${"ж".repeat(64)} y`);
    expect(terms(`a${"\u{10410}".repeat(40)}`)).toBe(`a${"\u{10438}".repeat(31)}`);
  });

  it("drops base64 payloads and keeps shorter ones", () => {
    const payload = "iVBORw0KGgo+/AAA".repeat(33);
    expect(terms(`before ${payload}== after`)).toBe("before after");
    expect(terms(`before "${payload.slice(0, 512)}" after`)).toContain("before i vbo rw0k ggo aa");
    expect(terms(`${payload.slice(0, 513)}`)).toBe("");
  });

  it("keeps everything between identifiers in its place", () => {
    expect(indexText("if (getUser() !== HTTPError)\n\treturn fooBar;")).toBe(
      "if (get User() !== HTTP Error)\n\treturn foo Bar;",
    );
  });

  it.each([
    ["no humps in 3FA85F64 or snake_case", []],
    ["getUser(), getUser and GETUser", ["get User", "get User", "GET User"]],
    ["src/UserList.tsx:my_userName", ["User List", "user Name"]],
    ["naïveBayes aB3dE5fG7hJ9kL 中fooBar文", ["naive Bayes", "foo Bar"]],
    [`${"a".repeat(62)}BcDe`, [`${"a".repeat(62)} Bc`]],
  ])("tells the identifiers of %s", (text, expected) => {
    const told: string[] = [];
    indexText(text, (parts) => told.push(parts));
    expect(told).toEqual(expected);
  });

  it("tells of every word that it takes apart, and of no other", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const told: string[] = [];
        indexText(text, (parts) => told.push(parts.toLowerCase()));
        const apart = splitWords(text).filter((word) => word.parts.length > 0);
        expect(told).toEqual(apart.map((word) => word.parts.map((part) => part.term).join(" ")));
        expect(told.map((parts) => parts.replaceAll(" ", ""))).toEqual(apart.map((word) => word.term));
      }),
      { numRuns: 1000 },
    );
  });

  it("returns plain ASCII text as it is", () => {
    const text = "2026-01-02 INFO [worker-1] GET /api/v1/users status=200\n\tat main.js:10";
    expect(indexText(text)).toBe(text);
  });

  it("takes linear time on hostile text", () => {
    const started = performance.now();
    for (const unit of ["a", "aB", "A", "9", "+", "é", "中", "e\u0301\u0323", "\u0301\u0323", "😀", "\ud800", " "]) {
      indexText(unit.repeat(500_000 / unit.length));
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("tokenize", () => {
  it("lists what the ascii tokenizer makes of the index text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(tokenize(text).map((token) => token.term)).toEqual(asciiTokens(indexText(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it("gives offsets into the original text that split no character", () => {
    const splitsPair = (text: string, at: number): boolean => at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { start, end } of tokenize(text)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(splitsPair(text, start) || splitsPair(text, end)).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("never yields a lone surrogate or a word of more than 64 characters", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { term } of tokenize(text)) {
          expect(term).not.toMatch(/\p{Surrogate}/u);
          expect(term.length).toBeLessThanOrEqual(64);
        }
      }),
    );
  });

  it.each([
    ["call getUserName()", ["call", "get", "User", "Name"]],
    ["Cafe\u0301 Straße", ["Cafe\u0301", "Straße"]],
    ["größeMax", ["größe", "Max"]],
    ["用中文😀x", ["用中", "中文", "文", "😀", "x"]],
    ["❤️ ﬁx ｶﾞｽ", ["❤️", "ﬁx", "ｶﾞｽ", "ｽ"]],
  ])("covers the original spelling: %s", (text, expected) => {
    expect(tokenize(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
  });
});

describe("splitWords", () => {
  it("gives every occurrence its parts", () => {
    const words = splitWords("getUser, getUser");
    expect(words.map(({ term, start, end }) => ({ term, start, end }))).toEqual([
      { term: "getuser", start: 0, end: 7 },
      { term: "getuser", start: 9, end: 16 },
    ]);
    expect(words[1]?.parts).toEqual([
      { term: "get", start: 9, end: 12 },
      { term: "user", start: 12, end: 16 },
    ]);
  });
});
