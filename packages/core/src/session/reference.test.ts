import { describe, expect, it } from "vitest";
import { readReference, referenceOf, uriOf } from "./reference.ts";

describe("references", () => {
  it.each([
    ["0b3f7c52-6f0e", "a1"],
    ["with # and % and space", "e#%1"],
    ["/home/user/a b.jsonl", null],
  ])("are read as they are written: %s, %s", (session, entry) => {
    expect(readReference(referenceOf(session, entry))).toEqual({ session, entry });
  });

  it("are read from the URI of a resource, and as people write them", () => {
    expect(readReference(uriOf("a/b#c"))).toEqual({ session: "a/b#c", entry: null });
    expect(readReference(" abc#%zz ")).toEqual({ session: "abc", entry: "%zz" });
    expect(readReference("abc#")).toEqual({ session: "abc", entry: null });
  });
});
