import { NO_TIMES, TYPED_AT, TYPED_TIMES } from "@sm/core/typed-time.fixture";
import { describe, expect, it } from "vitest";
import { readListSearch } from "../list/list-search.ts";
import { sessionRecord } from "../list/record.fixture.ts";
import { selectSessions } from "../list/select.ts";
import { searchRequest } from "../search/search-request.ts";
import { readSearchState } from "../search/search-state.ts";
import { rangeOf, timesOf } from "../statistics/range.ts";
import { readStatisticsSearch } from "../statistics/statistics-search.ts";
import { parseSearch } from "./search-params.ts";

const NOW = new Date(TYPED_AT);
const iso = (time: number) => new Date(time).toISOString();
const urlOf = (name: string, text: string) => parseSearch(`?${new URLSearchParams({ [name]: text })}`);

describe.each(["since", "until"])("%s in the address of the page", (name) => {
  it.each(TYPED_TIMES)("is read: %s, by the statistics", (text, time) => {
    const range = rangeOf(readStatisticsSearch(urlOf(name, text)), NOW);
    if ("problem" in range) throw new Error(range.problem);
    expect(timesOf(range)).toEqual({ [name]: iso(time) });
  });

  it.each(TYPED_TIMES)("is read: %s, by the list", (text, time) => {
    const records = [
      sessionRecord("before", { modified_at: iso(time - 1) }),
      sessionRecord("at", { modified_at: iso(time) }),
    ];
    const shown = selectSessions(records, readListSearch(urlOf(name, text)), () => [], NOW);
    expect(shown.map(({ title }) => title)).toEqual([name === "since" ? "at" : "before"]);
  });

  it.each(NO_TIMES)("is told to be wrong: %s", (text, problem) => {
    const message = expect.stringMatching(new RegExp(`^"${name}" ${problem.source}`));
    expect(rangeOf(readStatisticsSearch(urlOf(name, text)), NOW)).toEqual({ problem: message });
    const search = readListSearch(urlOf(name, text));
    expect(selectSessions([sessionRecord("any")], search, () => [], NOW)).toEqual([]);
  });
});

describe("the search of the page", () => {
  const request = (params: Record<string, string>) =>
    searchRequest(readSearchState(parseSearch(`?${new URLSearchParams({ q: "tide", ...params })}`)), TYPED_AT);

  it.each(TYPED_TIMES)("reads %s", (text, time) => {
    expect(request({ since: text })).toMatchObject({ payload: { since: iso(time) } });
    expect(request({ q: `tide before:${text}` })).toMatchObject({ payload: { query: `tide before:${iso(time)}` } });
  });

  it.each(NO_TIMES)("says what is wrong with %s", (text, problem) => {
    expect(request({ since: text })).toMatchObject({
      kind: "problem",
      problem: { message: expect.stringMatching(problem) },
    });
    expect(request({ q: `before:${text}` })).toMatchObject({ kind: "problem", problem: { at: 0 } });
  });
});
