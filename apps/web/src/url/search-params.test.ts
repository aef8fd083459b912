import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flagIn, oneOf, parseSearch, stringifySearch, textIn, textsIn } from "./search-params.ts";

describe("search parameters", () => {
  it("are read as they were written", () => {
    const text = fc.string({ minLength: 1, unit: "grapheme" });
    const name = text.filter((key) => key !== "__proto__" && !/^\d+$/.test(key));
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(text, fc.array(text, { minLength: 2 }))), (search) => {
        expect(parseSearch(stringifySearch(search))).toEqual({ ...search });
      }),
    );
  });

  it("leave out what is empty", () => {
    expect(stringifySearch({ q: "", tag: [], live: false, since: undefined, favorites: true })).toBe("?favorites=1");
    expect(stringifySearch({})).toBe("");
  });

  it("take numbers for text", () => {
    expect(parseSearch("?entry=12345678&leaf=true")).toEqual({ entry: "12345678", leaf: "true" });
  });

  it.each([
    ["?sort=title", "title"],
    ["?sort=TITLE", undefined],
    ["?sort=title&sort=size", "title"],
    ["?sort=constructor", undefined],
    ["", undefined],
  ])("know one of some values in %j", (search, expected) => {
    expect(oneOf(parseSearch(search), "sort", ["title", "size"])).toBe(expected);
  });

  it("know texts and flags", () => {
    const search = parseSearch("?tag=a&tag=&tag=b&live=1&favorites=no");
    expect(textsIn(search, "tag")).toEqual(["a", "b"]);
    expect(textIn(search, "tag")).toBe("a");
    expect([flagIn(search, "live"), flagIn(search, "favorites")]).toEqual([true, undefined]);
  });
});
