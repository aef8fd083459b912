import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "./any-text.fixture.ts";
import { splitWords, tokenize } from "./tokens.ts";

const terms = (text: string): string =>
  tokenize(text)
    .map((token) => token.term)
    .join(" ");

describe("tokenize", () => {
  it.each([
    ["getUserName2", "get user name2"],
    ["HTTPServer HttpServer", "http server http server"],
    ["parseJSON JSONParser", "parse json json parser"],
    ["get_userName GET_USER_NAME", "get user name get user name"],
    ["src/app-main/userList.tsx", "src app main user list tsx"],
    ["my_snake-kebab.dotted/path:12", "my snake kebab dotted path 12"],
    ["IUser xAxis getXByY isOK", "i user x axis get x by y is ok"],
    ["getUser and getUser, GetUser", "get user and get user get user"],
    ["don't a\0b", "don t a b"],
    ["", ""],
  ])("splits identifiers: %s", (text, expected) => {
    expect(terms(text)).toBe(expected);
  });

  it.each([
    ["utf8 sha256 i18n foo2bar x86_64 s3", "utf8 sha256 i18n foo2bar x86 64 s3"],
    ["UTF8String HTML5Parser HTTPServer2Go", "utf8 string html5 parser http server2 go"],
    ["toBase64Url sha256Hex", "to base64 url sha256 hex"],
    ["IPv6 IPv6Address parseIPv4", "ipv6 ipv6 address parse ipv4"],
    ["URLs userIDs IDsByName PRs", "urls user ids ids by name prs"],
    ["v1.2.3 V8 v20 v1beta1", "v 1 2 3 v 8 v 20 v1beta1"],
    ["react@18.2.0-rc.1 ^1.0", "react 18 2 0 rc 1 1 0"],
    ["0x3fa8 0xDEADBEEF 0xDEADbeef", "0x 3fa8 0x deadbeef 0x deadbeef"],
    ["0x 0xyz 1920x1080", "0x 0xyz 1920x1080"],
    ["3FA85F64-5717-4562-B3FC-2C963F66AFA6", "3fa85f64 5717 4562 b3fc 2c963f66afa6"],
    ["aB3dE5fG7hJ9kL ghp_16C7e42F292c69Ab", "ab3de5fg7hj9kl ghp 16c7e42f292c69ab"],
  ])("splits identifiers: %s", (text, expected) => {
    expect(terms(text)).toBe(expected);
  });

  it.each([
    ["2026-11-21T03:00", "2026 11 21 t 03 00"],
    ["2026-11-21T03:00:59.123Z", "2026 11 21 t 03 00 59 123 z"],
    ["20261121T030059Z", "20261121 t 030059 z"],
    ["2026-03-06T23-27-28-902Z_019cc57a", "2026 03 06 t 23 27 28 902 z 019cc57a"],
    ["5T T5 5Gb 21T03x 21t03", "5t t5 5 gb 21t03x 21t03"],
  ])("splits times: %s", (text, expected) => {
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
    ["ภาษาไทย abc", "ภา าษ ษา าไ ไท ทย ย abc"],
  ])("writes scripts without spaces as overlapping pairs: %s", (text, expected) => {
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
    expect(terms(`before "${payload.slice(0, 512)}" after`)).toContain("before i vborw0k ggo aa");
    expect(terms(`${payload.slice(0, 513)}`)).toBe("");
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
