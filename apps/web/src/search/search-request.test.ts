import { describe, expect, it } from "vitest";
import { searchRequest } from "./search-request.ts";
import type { SearchState } from "./search-state.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

describe("searchRequest", () => {
  it.each([
    [{ q: " tide clock " }, { query: "tide clock" }],
    [{ q: "a OR b", tool: "bash" }, { query: '(a OR b) tool:"bash"' }],
    [{ agent: "claude-code" }, { query: 'agent:"claude-code"' }],
    [{ q: "-test", model: "opus" }, { query: '(-test) model:"opus"' }],
    [
      { tool: "bash", role: "tool" },
      { query: 'tool:"bash" role:tool', role: "tool" },
    ],
    [{ q: "x", model: 'o"p' }, { query: '(x) model:"op"' }],
    [
      { q: "x", role: "user", project: "/p", session: "/s.jsonl", tag: ["1", "2"], since: "1d", sort: "newest" },
      {
        query: "x",
        role: "user",
        project: "/p",
        path: "/s.jsonl",
        tag_ids: ["1", "2"],
        since: "2026-11-20T12:00:00.000Z",
        sort: "newest",
      },
    ],
  ] as [SearchState, object][])("asks for %j", (state, payload) => {
    expect(searchRequest(state, NOW)).toEqual({
      kind: "search",
      payload: { limit: 50, per_session: 6, ...payload },
    });
  });

  it.each([{}, { q: "  " }, { project: "/p", since: "7d" }] as const)("asks nothing for %j", (state) => {
    expect(searchRequest(state, NOW)).toEqual({ kind: "nothing" });
  });

  it.each([
    [{ q: "a (b" }, 2],
    [{ q: "  a (b" }, 4],
    [{ q: "  role:nobody", tool: "bash" }, 2],
    [{ q: 'say "it' }, 4],
    [{ q: "->" }, 0],
  ])("tells where the error of %j is", (state, at) => {
    expect(searchRequest(state, NOW)).toMatchObject({ kind: "problem", problem: { at } });
  });
});
