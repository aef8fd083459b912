import { expect, it } from "vitest";
import { RELEVANCE_QUERIES } from "./queries.ts";
import { WRITTEN_SESSIONS } from "./sessions.ts";

it("asks for sessions that were written", () => {
  const ids = new Set(WRITTEN_SESSIONS.map(({ id }) => id));
  expect(ids.size).toBe(WRITTEN_SESSIONS.length);
  for (const { query, wanted, related = [] } of RELEVANCE_QUERIES) {
    expect(wanted, query).not.toEqual([]);
    expect([...wanted, ...related].filter((id) => !ids.has(id))).toEqual([]);
  }
});

it("asks each question once", () => {
  const queries = RELEVANCE_QUERIES.map(({ query }) => query);
  expect(new Set(queries).size).toBe(queries.length);
});
