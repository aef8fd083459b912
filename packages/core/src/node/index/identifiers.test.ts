import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase, type SqliteDatabase } from "../sqlite.ts";
import { IDENTIFIERS_SQL, Identifiers } from "./identifiers.ts";

let database: SqliteDatabase;

beforeEach(() => {
  database = openDatabase(":memory:", { durability: "normal" });
  database.exec(IDENTIFIERS_SQL);
});

afterEach(() => {
  database.close();
});

function identifiersOf(...known: string[]): Identifiers {
  const identifiers = new Identifiers(database);
  for (const parts of known) identifiers.add(parts);
  return identifiers;
}

const count = (): unknown => database.prepare("SELECT count(*) FROM identifiers").pluck().get();

describe("Identifiers", () => {
  const known = ["get User Name", "GET User Name", "get Username", "get User Id", "HTTP Server", "go On", "größe Max"];

  it.each([
    ["getusername", ["get user name", "get username"]],
    ["httpserver", ["http server"]],
    ["größemax", ["größe max"]],
    ["getuser", []],
    ["user", []],
    ["getusernames", []],
    ["getUserName", []],
    ["", []],
    ["%", []],
  ])("splits the whole word %s", (word, expected) => {
    const found = identifiersOf(...known).split(word, false);
    expect(found.map((parts) => parts.join(" ")).sort()).toEqual(expected);
  });

  it.each([
    ["getuserna", ["get user na", "get userna"]],
    ["getusername", ["get user name", "get username"]],
    ["getuser", ["get user"]],
    ["getu", ["get u"]],
    ["get", ["get"]],
    ["g", ["g"]],
    ["go", ["go"]],
    ["goo", ["go o"]],
    ["https", ["http s"]],
    ["größem", ["größe m"]],
    ["getusernames", []],
    ["user", []],
    ["z", []],
    ["get_", []],
    ["g%", []],
  ])("splits the beginning %s", (word, expected) => {
    const found = identifiersOf(...known).split(word, true);
    expect(found.map((parts) => parts.join(" ")).sort()).toEqual(expected);
  });

  it("finds beginnings that go on beyond the basic plane", () => {
    expect(identifiersOf("a B\u{10428}c").split("ab", true)).toEqual([["a", "b"]]);
    expect(identifiersOf("a B\u{10428}c").split("ab\u{10428}", true)).toEqual([["a", "b\u{10428}"]]);
  });

  it("splits as a plain list would", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "b", "é", "\u{10428}"), minLength: 1, maxLength: 3 });
    const identifier = fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join(" "));
    const word = fc.string({ unit: fc.constantFrom("a", "b", "é", "\u{10428}"), minLength: 1, maxLength: 5 });
    const whole = (parts: string) => parts.replaceAll(" ", "");
    fc.assert(
      fc.property(fc.array(identifier, { maxLength: 20 }), word, (list, looked) => {
        database.exec("DELETE FROM identifiers");
        const identifiers = identifiersOf(...list);
        const sorted = (found: string[][]) => found.map((parts) => parts.join(" ")).sort();
        const exact = list.filter((parts) => whole(parts) === looked);
        expect(sorted(identifiers.split(looked, false))).toEqual([...new Set(exact)].sort());
        const longer = list.filter((parts) => whole(parts).startsWith(looked));
        const beginnings = longer.map((parts) => {
          const lengths = Array.from({ length: parts.length }, (_, at) => at + 1);
          const end = lengths.find((at) => whole(parts.slice(0, at)) === looked);
          return parts.slice(0, end);
        });
        expect(sorted(identifiers.split(looked, true))).toEqual([...new Set(beginnings)].sort());
      }),
      { numRuns: 300 },
    );
  });

  it("keeps one row of an identifier, however often it is added and by whom", () => {
    identifiersOf("get User", "get User", "GET User", "Get User");
    identifiersOf("get User");
    expect(count()).toBe(1);
  });

  it("knows more identifiers than it remembers", () => {
    const identifiers = new Identifiers(database);
    const added = 50_100;
    database.transaction(() => {
      for (let number = 0; number < added; number++) identifiers.add(`get N${number}`);
      for (let number = 0; number < 100; number++) identifiers.add(`get N${number}`);
    })();
    expect(count()).toBe(added);
    expect(identifiers.split("getn0", false)).toEqual([["get", "n0"]]);
    expect(identifiers.split("getn50099", false)).toEqual([["get", "n50099"]]);
  });

  it("adds again what a failed transaction took back", () => {
    const identifiers = new Identifiers(database);
    const failing = database.transaction(() => {
      identifiers.add("get User");
      throw new Error("disk full");
    });
    expect(() => failing()).toThrow("disk full");
    identifiers.forgetUncommitted();
    identifiers.add("get User");
    expect(identifiers.split("getuser", false)).toEqual([["get", "user"]]);
  });

  it("reads a database that is open for reading", () => {
    const directory = mkdtempSync(join(tmpdir(), "identifiers-"));
    try {
      const path = join(directory, "text.db");
      const writing = openDatabase(path, { durability: "normal" });
      writing.exec(IDENTIFIERS_SQL);
      new Identifiers(writing).add("get User");
      const reading = openDatabase(path, { durability: "normal", readonly: true });
      expect(new Identifiers(reading).split("getuser", false)).toEqual([["get", "user"]]);
      reading.close();
      writing.close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
