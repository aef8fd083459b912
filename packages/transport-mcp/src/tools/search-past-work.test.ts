import type { SearchHit } from "@sm/core";
import { describe, expect, it } from "vitest";
import type { SendCommand } from "../commands.ts";
import { searchPastWork } from "./search-past-work.ts";

interface Asked {
  query: string;
  cursor?: string;
  limit: number;
}

/** Key material, made here so that no scanner of the repository takes it for a leak. */
const keyLine = (seed: number) =>
  Array.from({ length: 64 }, (_, index) => "AbC0dEf1GhI2+jK/".charAt((index * seed) % 16)).join("");
const KEY_END = ["-----END OPENSSH", "PRIVATE KEY-----"].join(" ");

function hit(session: string, snippet = "the tide clock"): SearchHit {
  return {
    session_path: `/${session}.jsonl`,
    format: "pi",
    session_id: session,
    session_title: session,
    cwd: null,
    entry_id: "e1",
    role: "user",
    kind: "text",
    tool_name: null,
    timestamp: null,
    snippet,
    highlights: [],
    score: 1,
  };
}

/** Searches a library that has hits for each query, and keeps what it was asked. */
function searching(hits: Record<string, SearchHit[]>, cursor: string | null = null) {
  const asked: Asked[] = [];
  const send: SendCommand = async (_command, payload) => {
    const { query, cursor: given, limit } = payload as Asked;
    asked.push({ query, limit, ...(given !== undefined && { cursor: given }) });
    const found = hits[query] ?? [];
    return {
      hits: found,
      total: found.length,
      total_is_exact: true,
      next_cursor: found.length === 0 ? null : cursor,
      indexing: { done: 1, pending: 0 },
    };
  };
  const ask = async (args: object, ownSession: string | null = null) => {
    const { text, data } = await searchPastWork.run(args, { send, ownSession, redacts: true, now: Date.now });
    const sessions = data.sessions as { session: string; hits: { snippet: string }[] }[];
    return { text, sessions, cursor: data.next_cursor };
  };
  return { ask, asked };
}

describe("the pages of a search with some of the words", () => {
  it.each([
    ["tide clock", /^No text has all words/],
    ['tide "clock', /^The query could not be read/],
  ])("%s go on with the same query", async (query, remark) => {
    const wider = query.includes('"') ? '"tide" OR "clock"' : "tide OR clock";
    const { ask, asked } = searching({ [wider]: [hit("other")] }, "page2");
    const first = await ask({ query });
    expect(first.text).toMatch(remark);
    expect(first.cursor).toBe("~page2");
    asked.length = 0;
    const second = await ask({ query, cursor: first.cursor });
    expect(asked).toEqual([{ query: wider, cursor: "page2", limit: 10 }]);
    expect(second.text).toMatch(remark);
  });

  it("are those of the query itself where that had hits", async () => {
    const { ask, asked } = searching({ "tide clock": [hit("other")] }, "page2");
    expect((await ask({ query: "tide clock" })).cursor).toBe("page2");
    asked.length = 0;
    await ask({ query: "tide clock", cursor: "page3" });
    expect(asked).toEqual([{ query: "tide clock", cursor: "page3", limit: 10 }]);
  });
});

describe("the session that asks", () => {
  it.each<[string, Record<string, SearchHit[]>, string | null, string[]]>([
    [
      "has the only hits",
      { "tide clock": [hit("own")], "tide OR clock": [hit("own"), hit("other")] },
      "own",
      ["other"],
    ],
    [
      "has some of them",
      { "tide clock": [hit("own"), hit("first")], "tide OR clock": [hit("other")] },
      "own",
      ["first"],
    ],
    ["is not known", { "tide clock": [hit("own")], "tide OR clock": [hit("other")] }, null, ["own"]],
  ])("%s", async (_case, hits, own, expected) => {
    const { ask } = searching(hits);
    const { sessions } = await ask({ query: "tide clock" }, own);
    expect(sessions.map(({ session }) => session)).toEqual(expected);
  });

  it("takes up none of the page", async () => {
    const { ask, asked } = searching({ gauge: [hit("other")] });
    await ask({ query: "gauge", limit: 5 }, "own");
    expect(asked).toEqual([{ query: "gauge", limit: 8 }]);
  });
});

describe("what a snippet shows of a private key", () => {
  const lines = `${keyLine(3)} ${keyLine(5)} ${keyLine(7)}`;
  it.each([
    [
      "its end",
      `…${keyLine(3).slice(20)} ${lines} b0Rt/A== ${KEY_END} the deploy key of staging`,
      "… the deploy key of staging",
    ],
    ["its lines", `…he said ${lines} c2hvcnQ…`, "…he said … … … c2hvcnQ…"],
    ["nothing", "…the deploy key of staging…", "…the deploy key of staging…"],
    [
      "nothing but a hash",
      `…sha256 ${"0a1b2c3d".repeat(8)} of the image…`,
      `…sha256 ${"0a1b2c3d".repeat(8)} of the image…`,
    ],
  ])("%s", async (_case, snippet, shown) => {
    const { ask } = searching({ "staging deploy": [hit("other", snippet)] });
    const { sessions } = await ask({ query: "staging deploy" });
    expect(sessions[0]?.hits[0]?.snippet).toBe(shown);
  });
});
