import { describe, expect, it } from "vitest";
import { parseSearch, stringifySearch } from "../url/search-params.ts";
import { hasFilters, orderOf, readListSearch, withoutFilters } from "./list-search.ts";

const read = (text: string) => readListSearch(parseSearch(text));

describe("the state of the list", () => {
  const WHOLE =
    "?q=a+b&project=%2Fhome%2Fme&tag=1&tag=2&model=opus&agent=claude-code&favorites=1&live=1&since=7d&until=2026-03-04&sort=cost&order=asc&group=forks";

  it("is read from the URL and written back as it was", () => {
    expect(stringifySearch({ ...read(WHOLE) })).toBe(WHOLE);
    expect(readListSearch({ ...read(WHOLE) })).toEqual(read(WHOLE));
  });

  it.each(["?sort=__proto__&order=up&group=month", "?favorites=0&live=yes&tag=&q=", "?path=/a.jsonl&entry=1"])(
    "leaves out what it does not know: %s",
    (text) => {
      expect(read(text)).toEqual({});
    },
  );

  it("has filters, or only an order", () => {
    expect(hasFilters(read(WHOLE))).toBe(true);
    expect(withoutFilters(read(WHOLE))).toEqual({ sort: "cost", order: "asc", group: "forks" });
    expect(hasFilters(withoutFilters(read(WHOLE)))).toBe(false);
  });

  it.each([
    ["", "desc"],
    ["?sort=title", "asc"],
    ["?sort=title&order=desc", "desc"],
  ])("%j is in the order %s", (text, order) => {
    expect(orderOf(read(text))).toBe(order);
  });
});
