import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportFileName } from "./file-name.ts";

describe("exportFileName", () => {
  it.each([
    ["Fix the login", "Fix-the-login.md"],
    ["get_user_name v1.2", "get_user_name-v1.2.md"],
    ["修复登录 バグ 오류", "修复登录-バグ-오류.md"],
    ["Ünïcode e\u0301", "Ünïcode-é.md"],
    ["../../etc/passwd", "etc-passwd.md"],
    ['a/b\\c:d*e?f"g<h>i|j', "a-b-c-d-e-f-g-h-i-j.md"],
    ["line\nbreak\u0000\u007f\u2028end", "line-break-end.md"],
    ["invoice\u202Efdp.exe", "invoicefdp.exe.md"],
    ["zero\u200Bwidth\uFEFF", "zerowidth.md"],
    ["lone \ud800 surrogate", "lone-surrogate.md"],
    [".hidden", "hidden.md"],
    ["-rf", "rf.md"],
    ["trailing dots... ", "trailing-dots.md"],
    ["CON", "session-CON.md"],
    ["nul.txt", "session-nul.txt.md"],
    ["com¹", "session-com¹.md"],
    ["CO\u200DN", "session-CON.md"],
    ["console", "console.md"],
    ["", "session.md"],
    ["///", "session.md"],
    ["\u202E", "session.md"],
  ])("names %j", (title, expected) => {
    expect(exportFileName(title, "md")).toBe(expected);
  });

  it.each(["a", "é", "漢", "😀"])("bounds a name of %s in bytes, at a whole character", (character) => {
    const name = exportFileName(character.repeat(5_000), "html");
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(125);
    expect(name).toMatch(new RegExp(`^(?:${character}){30,}\\.html$`));
  });

  it("is safe whatever the title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (title) => {
        const name = exportFileName(title, "json");
        expect(name).toMatch(/^[^\p{C}\p{Z}<>:"/\\|?*.-][^\p{C}\p{Z}<>:"/\\|?*]*\.json$/u);
        expect(name).toMatch(/[^.-]\.json$/);
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(133);
      }),
      { numRuns: 500 },
    );
  });
});
