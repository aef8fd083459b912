import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UniqueFileNames } from "./unique-file-names.ts";

describe("UniqueFileNames", () => {
  it.each([
    [
      ["Fix login", "Fix login", "Fix-login"],
      ["Fix-login.md", "Fix-login-2.md", "Fix-login-3.md"],
    ],
    [
      ["Fix", "fix", "FIX"],
      ["Fix.md", "fix-2.md", "FIX-3.md"],
    ],
    [
      ["a", "a-2", "a"],
      ["a.md", "a-2.md", "a-3.md"],
    ],
    [
      ["e\u0301", "É"],
      ["é.md", "É-2.md"],
    ],
    [
      ["straße", "STRASSE"],
      ["straße.md", "STRASSE-2.md"],
    ],
    [
      ["index", "Index"],
      ["index-2.md", "Index-3.md"],
    ],
    [
      ["../a/b\\c", "\u202Ea", "con", ""],
      ["a-b-c.md", "a.md", "session-con.md", "session.md"],
    ],
  ])("names %j", (titles, expected) => {
    const names = new UniqueFileNames(["index.md"]);
    expect(titles.map((title) => names.unique(title, "md"))).toEqual(expected);
  });

  it("tells names apart by their extensions", () => {
    const names = new UniqueFileNames();
    expect([names.unique("a", "md"), names.unique("a", "json")]).toEqual(["a.md", "a.json"]);
  });

  it("keeps names apart on every system, and short", () => {
    const stem = fc.oneof(
      fc.constantFrom("a", "A", "a-2", "ß", "ẞ", "SS", "漢".repeat(300)),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(stem, { maxLength: 12 }), (stems) => {
        const names = new UniqueFileNames();
        const given = stems.map((name) => names.unique(name, "html"));
        for (const fold of [(name: string) => name.toLowerCase(), (name: string) => name.toUpperCase()]) {
          expect(new Set(given.map(fold)).size).toBe(given.length);
        }
        for (const name of given) expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(143);
      }),
    );
  });
});
