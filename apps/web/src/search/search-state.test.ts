import { expect, it } from "vitest";
import { parseSearch, stringifySearch } from "../url/search-params.ts";
import { readSearchState } from "./search-state.ts";

it.each([
  [
    "?q=tide&role=user&project=%2Fp&session=%2Fs.jsonl&mine=1&owner=ada&model=m&agent=codex&tool=t&tag=1&tag=2&since=7d&sort=newest",
  ],
  ["?q=1"],
  [""],
])("is read from %j and written the same", (search) => {
  expect(stringifySearch({ ...readSearchState(parseSearch(search)) })).toBe(search);
});

it("leaves out what is wrong", () => {
  expect(readSearchState(parseSearch("?role=nobody&mine=2&owner=&sort=oldest&tag=&other=1&q="))).toEqual({});
});
