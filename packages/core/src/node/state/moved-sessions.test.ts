import { describe, expect, it } from "vitest";
import { findMoves } from "./moved-sessions.ts";
import type { SessionIdentity } from "./ports.ts";

/** `"/a:1 /b:2"` for two sessions with their ids. */
function sessions(text: string): SessionIdentity[] {
  return text
    .split(" ")
    .filter((part) => part !== "")
    .map((part) => {
      const [path = "", id = ""] = part.split(":");
      return { path, id };
    });
}

describe("findMoves", () => {
  it.each([
    ["nothing is marked", "", "/a:1", ""],
    ["all is where it was", "/a:1 /b:2", "/b:2 /a:1 /c:3", ""],
    ["a file was moved", "/a:1", "/b:1 /c:2", "/a→/b:1"],
    ["several were moved", "/a:1 /b:2", "/x/a:1 /x/b:2", "/a→/x/a:1 /b→/x/b:2"],
    ["a file is gone", "/a:1", "/b:2", ""],
    ["there is a copy", "/a:1", "/copy:1 /a:1", ""],
    ["the original is gone, a copy is there", "/a:1", "/copy:1", "/a→/copy:1"],
    ["the original was moved beside a copy with marks of its own", "/a:1 /copy:1", "/copy:1 /b:1", "/a→/b:1"],
    ["the original is gone beside a copy with marks of its own", "/a:1 /copy:1", "/copy:1", "/a→/copy:1"],
    ["two copies with marks were moved", "/a:1 /b:1", "/x/a:1 /x/b:1", "/a→/x/a:1 /b→/x/b:1"],
    ["the file at the path has another id now", "/a:1", "/a:2", "/a→/a:2"],
    ["one of twins is gone", "/s.jsonl:1", "/s-1.jsonl:1", ""],
    ["one of twins is gone, both with marks", "/s.jsonl:1 /s-1.jsonl:1", "/s.jsonl:1", ""],
    ["one of twins was moved", "/s-1.jsonl:1", "/s.jsonl:1 /x/s-1.jsonl:1", "/s-1.jsonl→/x/s-1.jsonl:1"],
    ["one of twins is gone and the other was moved", "/s.jsonl:1", "/x/s-1.jsonl:1", ""],
    [
      "twins were moved",
      "/s.jsonl:1 /s-1.jsonl:1",
      "/x/s-1.jsonl:1 /x/s.jsonl:1",
      "/s.jsonl→/x/s.jsonl:1 /s-1.jsonl→/x/s-1.jsonl:1",
    ],
    ["copies were moved together", "/a:1", "/x/b:1 /x/a:1", "/a→/x/a:1"],
    ["the path has another id and a copy has the old one", "/a:1", "/a:2 /copy:1", "/a→/a:2"],
  ])("when %s", (_, marked, existing, moves) => {
    const found = findMoves(sessions(marked), sessions(existing));
    expect(found.map(({ from, to }) => `${from.path}→${to.path}:${to.id}`).join(" ")).toBe(moves);
  });
});
