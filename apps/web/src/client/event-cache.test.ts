import type { ClientEvent } from "@sm/router/client";
import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { applyEvent } from "./event-cache.ts";
import { createSessionStore } from "./sessions.ts";

const KEYS = [
  ["list_skills", {}],
  ["read_resource", { path: "/p.md" }],
  ["list_tags"],
  ["read_session", { path: "/s" }],
];

describe("applyEvent", () => {
  it.each<[ClientEvent["event"], object, string[]]>([
    ["resources-changed", { kinds: ["skills"] }, ["list_skills", "read_resource"]],
    ["config-changed", { version_id: "v" }, ["list_skills", "list_tags"]],
    ["session-changed", { changed_paths: ["/s"], removed_paths: [] }, ["read_session"]],
    ["events-lost", {}, ["list_skills", "read_resource", "list_tags", "read_session"]],
  ])("has what %s may have changed asked for again", (event, payload, stale) => {
    const queries = new QueryClient();
    for (const key of KEYS) queries.setQueryData(key, []);
    const sessions = createSessionStore({ call: async () => ({ sessions: [], next_cursor: null }) } as never);
    applyEvent({ event, seq: 1, payload } as ClientEvent, queries, sessions);
    const found = queries.getQueryCache().findAll({ stale: true, predicate: (query) => query.state.isInvalidated });
    expect(found.map(({ queryKey: [name] }) => name)).toEqual(stale);
    queries.clear();
  });
});
