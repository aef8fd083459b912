import type { SearchPage, SessionRecord } from "@sm/core";
import { describe, expectTypeOf, it } from "vitest";
import type { Client } from "./client.ts";
import type { ClientEvent } from "./event-listener.ts";
import type { CommandInput, CommandName, CommandOutput } from "./index.ts";

// The compiler does the checking: nothing here is called, and an error that is expected and missing is an error.
describe("types of the client", () => {
  it("follow from the registry", () => {
    expectTypeOf<CommandName>()
      .extract<"ping" | "search" | "toggle_favorite">()
      .toEqualTypeOf<"ping" | "search" | "toggle_favorite">();
    expectTypeOf<CommandOutput<"scan_sessions">>().toEqualTypeOf<SessionRecord[]>();
    expectTypeOf<CommandOutput<"search">>().toEqualTypeOf<SearchPage>();
    expectTypeOf<CommandInput<"toggle_favorite">>().toEqualTypeOf<{ path: string }>();
  });

  it("know what a command takes", () => {
    const calls = (client: Client) => [
      client.call("ping"),
      client.call("ping", {}),
      client.call("ping", null, { timeoutMs: 10 }),
      client.call("list_sessions"),
      client.call("list_sessions", { limit: 10, query: null }),
      client.call("search", { query: "a", role: "user" }),
      // @ts-expect-error: there is no such command.
      client.call("serach", { query: "a" }),
      // @ts-expect-error: a command without fields takes none.
      client.call("ping", { query: "a" }),
      // @ts-expect-error: there is no such field.
      client.call("search", { query: "a", rule: "user" }),
      // @ts-expect-error: there is no such role.
      client.call("search", { query: "a", role: "nobody" }),
      // @ts-expect-error: the query is missing.
      client.call("search", { role: "user" }),
      // @ts-expect-error: the payload is missing.
      client.call("search"),
      // @ts-expect-error: a number is no path.
      client.call("toggle_favorite", { path: 1 }),
    ];
    expectTypeOf(calls).toBeFunction();
  });

  it("know what a command answers", () => {
    const read = async (client: Client) => {
      const page = await client.call("list_sessions");
      expectTypeOf(page.sessions).toEqualTypeOf<SessionRecord[]>();
      // @ts-expect-error: there is no such field.
      return page.records;
    };
    expectTypeOf(read).toBeFunction();
  });

  it("know what a command answers to the payload that was sent", () => {
    type One = { session_path: string; tag_ids: string[] };
    const calls = async (client: Client, path: string | null, paths: string[]) => {
      const one = await client.call("assign_tag", { session_path: "/a.jsonl", tag_id: "t" });
      expectTypeOf(one).toEqualTypeOf<One>();
      const many = await client.call("remove_tag", { session_paths: paths, tag_id: "t" }, { timeoutMs: 10 });
      expectTypeOf(many).toEqualTypeOf<{ sessions: One[] }>();
      const payload = { session_path: null, session_paths: paths, tag_id: "t" };
      expectTypeOf(await client.call("assign_tag", payload)).toEqualTypeOf<{ sessions: One[] }>();
      const either = path === null ? { session_paths: paths, tag_id: "t" } : { session_path: path, tag_id: "t" };
      expectTypeOf(await client.call("assign_tag", either)).toEqualTypeOf<One | { sessions: One[] }>();
      const unknown = {} as CommandInput<"assign_tag">;
      expectTypeOf(await client.call("assign_tag", unknown)).toEqualTypeOf<One | { sessions: One[] }>();
      return [
        // @ts-expect-error: one session is answered alone.
        one.sessions,
        // @ts-expect-error: there is no such field.
        client.call("assign_tag", { session_path: "/a.jsonl", tag: "t" }),
        // @ts-expect-error: there is no such field.
        client.call("assign_tag", { session_path: "/a.jsonl", tag_id: "t", tag: "t" }),
        // @ts-expect-error: nothing says which sessions are meant.
        client.call("assign_tag", { tag_id: "t" }),
      ];
    };
    expectTypeOf(calls).toBeFunction();
    expectTypeOf<CommandOutput<"assign_tag", { session_path: string; tag_id: string }>>().toEqualTypeOf<One>();
    expectTypeOf<CommandOutput<"assign_tag">>().toEqualTypeOf<One | { sessions: One[] }>();
  });

  it("know the payload of an event by its name", () => {
    const take = (event: ClientEvent) => {
      if (event.event === "sessions-diff") expectTypeOf(event.payload.added).toEqualTypeOf<SessionRecord[]>();
      // @ts-expect-error: only one of the events has it.
      return event.payload.added;
    };
    expectTypeOf(take).toBeFunction();
  });

  it("take the classes of the browser and of ws", () => {
    expectTypeOf<typeof import("ws").WebSocket>().toExtend<
      NonNullable<import("./client.ts").ClientOptions["WebSocket"]>
    >();
  });
});
