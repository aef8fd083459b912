import { describe, expect, it } from "vitest";
import { fileStem, idOfFileName } from "./file-name.ts";

describe("the name of a session file", () => {
  it.each([
    ["/sessions/2026-11-21T03-07-38-373Z_abc.jsonl", "2026-11-21T03-07-38-373Z_abc", "abc"],
    ["C:\\sessions\\2026-11-21T03-07-38-373Z_a_b.jsonl", "2026-11-21T03-07-38-373Z_a_b", "a_b"],
    ["/sessions/abc.jsonl", "abc", "abc"],
    ["2026-11-21_abc.jsonl", "2026-11-21_abc", "2026-11-21_abc"],
    ["/a.jsonl/b.txt", "b.txt", "b.txt"],
  ])("of %s is %s, with the ID %s", (path, stem, id) => {
    expect(fileStem(path)).toBe(stem);
    expect(idOfFileName(path)).toBe(id);
  });
});
