import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { argumentPaths, mayBePath } from "./argument-paths.ts";

describe("paths in the arguments of a tool call", () => {
  it.each<[JsonObject, string[]]>([
    [{ path: "src/app.ts" }, ["src/app.ts"]],
    [
      { file_path: "README", filePath: "a b.txt", targetFile: "x", "working-dir": "/srv", FILE: "y" },
      ["README", "a b.txt", "x", "/srv", "y"],
    ],
    [{ cwd: "/home/dev/project", command: "cat notes.txt" }, ["/home/dev/project"]],
    [{ paths: ["one", "two", "one"] }, ["one", "two"]],
    [{ edits: [{ file: "deep" }, { inner: { directory: "deeper" } }] }, ["deep", "deeper"]],
    [
      { pattern: "src/**/*.ts", target: "C:\\work\\a.cs", name: ".gitignore", other: "app.test.ts" },
      ["src/**/*.ts", "C:\\work\\a.cs", ".gitignore", "app.test.ts"],
    ],
    [
      { url: "https://example.org/a.ts", version: "1.2.3", word: "word", end: "end.", profile: "me", text: "see a.ts" },
      [],
    ],
    [{ path: "", file: "a\nb", dir: 7, cwd: null, folder: true }, []],
  ])("are found: %j", (callArguments, paths) => {
    expect(argumentPaths(callArguments)).toEqual(paths);
  });

  it("are few, however many there are", () => {
    const many = Array.from({ length: 5000 }, (_, n) => `src/${n}.ts`);
    expect(argumentPaths({ paths: many })).toEqual(many.slice(0, 32));
    expect(argumentPaths({ numbers: many.map((_, n) => n), path: "late" })).toEqual([]);
  });

  it("are not looked for in what is too long or too deep", () => {
    expect(
      argumentPaths({ file: "a".repeat(4097), other: `a/${"b".repeat(255)}`, [`${"a".repeat(100_000)}path`]: "c" }),
    ).toEqual([]);
    let value: JsonValue = { path: "deep" };
    for (let depth = 0; depth < 10_000; depth++) value = [value];
    expect(argumentPaths({ value })).toEqual([]);
  });

  it("may be what they are where they are not decoded", () => {
    const anyUnit = fc.constantFrom(..."ab./\\\u0001\n é中", "\ud83d\ude00", "\ud800");
    const anyPath = fc
      .tuple(fc.array(anyUnit, { maxLength: 8 }), fc.constantFrom(1, 60, 256, 4096))
      .map(([units, times]) => units.join("").repeat(times).slice(0, 4096));
    fc.assert(
      fc.property(anyPath, fc.constantFrom("path", "x"), (path, key) => {
        const json = Buffer.from(JSON.stringify(path));
        if (argumentPaths({ [key]: path }).length === 0) return;
        expect(mayBePath(json, 1, json.length - 1, key === "path")).toBe(true);
      }),
    );
  });

  it("are no words with a space and nothing that is too long, whatever it says", () => {
    const may = (text: string, isNamed: boolean) => mayBePath(Buffer.from(text), 0, text.length, isNamed);
    expect([may("a/b c", false), may("a/b c", true), may("a/b", false)]).toEqual([false, true, true]);
    expect([may("a/".repeat(769), false), may("a/".repeat(12_289), true)]).toEqual([false, false]);
  });
});
