import { describe, expect, it } from "vitest";
import { storedOutputOf } from "./stored-output.ts";

const FOLDER = "/home/me/.claude/projects/-p/0bb6a297-ee41-48ca-9b93-f5555fd7b449/tool-results";

const noteOf = (path: string) => [
  { type: "tool_result", content: `<persisted-output>\nOutput too large (38KB). Full output saved to: ${path}\n` },
];

describe("the file with the whole output of a result", () => {
  it.each<[string, string | null]>([
    [`${FOLDER}/ba5b3d27a.txt`, "ba5b3d27a.txt"],
    [`${FOLDER}/toolu_01HrJkK9cSTSSpfeGBSqFEzv`, "toolu_01HrJkK9cSTSSpfeGBSqFEzv"],
    ["C:\\Users\\me\\.claude\\projects\\p\\s\\tool-results\\a.txt", "a.txt"],
    ["/etc/passwd", null],
    [`${FOLDER}/../../../../.ssh/id_rsa`, null],
    [`${FOLDER}/..`, null],
    [`${FOLDER}/.hidden`, null],
    [`${FOLDER}/a/b.txt`, null],
    [`${FOLDER}/a\u0000.txt`, null],
    [`${FOLDER}/${"a".repeat(200)}`, null],
    [`${FOLDER}/`, null],
    ["tool-results/a.txt", null],
    ["", null],
  ])("at %j is %j", (path, fileName) => {
    expect(storedOutputOf([], { persistedOutputPath: path })?.file_name ?? null).toBe(fileName);
    expect(storedOutputOf(noteOf(path), undefined)?.file_name ?? null).toBe(fileName);
  });

  it("has the size that is recorded", () => {
    const persistedOutputPath = `${FOLDER}/a.txt`;
    expect(storedOutputOf([], { persistedOutputPath, persistedOutputSize: 7 })).toEqual({
      file_name: "a.txt",
      size_bytes: 7,
    });
    expect(storedOutputOf([], { persistedOutputPath, persistedOutputSize: "7" })?.size_bytes).toBeNull();
  });

  it("is told by its note alone, and not by a text that speaks of one", () => {
    const said = `cat says: ${noteOf(`${FOLDER}/a.txt`)[0]?.content}`;
    expect(storedOutputOf([{ type: "tool_result", content: said }], "Error")).toBeNull();
  });
});
