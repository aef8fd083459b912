import fc from "fast-check";

/** Text out of everything that has a rule of its own, lone surrogates and long runs included. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme-ascii", maxLength: 20 }),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(..."aZ09_.-/ étßİıςΣøﬁＡ＋１。、 \u00a0\u200b\u00ad"), maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(..."aBcs19TZvx0 é"), maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(..."中文字。カﾊﾞﾟーがか\u3099한글ᄒ\u1161\u11ab𠮷A1 "), maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(..."😀👍🏽❤\ufe0f\u200d🇩🇪─✓™①½\ud800\udc00\ufffd\u0301x"), maxLength: 12 }),
      fc.constantFrom("getUserName2", "HTTPServer", "HttpServer", "naïveBayes", "größeUndMaße", "имяUser", "3FA85F64"),
      fc.constantFrom("2026-11-21T03:00:12.123Z", "v1.2.3", "V8", "0x3fa8", "0xDEADbeef", "IPv6Address", "userIDs"),
      fc
        .tuple(fc.constantFrom("a", "aB", "é", "😀", "中", "a+", "1", "\u0301"), fc.integer({ min: 1, max: 600 }))
        .map(([unit, count]) => unit.repeat(count)),
      fc
        .tuple(fc.constantFrom("a", "aB", "a+", "1", "ж", "\u{10410}"), fc.constantFrom(63, 64, 65, 511, 512, 513))
        .map(([unit, count]) => unit.repeat(count).slice(0, count)),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(""));
