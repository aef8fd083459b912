import type { SearchPage, SessionRecord } from "@sm/core";
import { describe, expectTypeOf, it } from "vitest";
import type { Client } from "./client.ts";
import type { ClientEvent } from "./events.ts";
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
