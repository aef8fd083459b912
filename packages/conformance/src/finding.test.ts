import type { FindPage } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "./real-service.ts";

let service: RealService;

beforeAll(async () => {
  service = await startRealService();
});

afterAll(() => service[Symbol.asyncDispose]());

const find = (payload: object) =>
  service.ask<FindPage>("find_in_session", { path: service.home.paths.branched, ...payload });

describe("find_in_session", () => {
  it.each([
    [{ query: "PARSER" }, ["b3 1", "b2 1"]],
    [{ query: "parser", role: "user" }, ["b2 1"]],
    [{ query: "parser", role: "tool" }, []],
    [{ query: "parser", leaf_id: "b2" }, ["b2 1"]],
    [{ query: "normal  form" }, ["b16 1", "b7 1"]],
    [{ query: "nowhere" }, []],
  ])("%j", async (payload, found) => {
    const { entries } = await find(payload);
    expect(entries.map(({ entry_id, count }) => `${entry_id} ${count}`)).toEqual(found);
  });

  it("goes through the branch in pages, the newest entries first", async () => {
    const first = await find({ query: "parser", limit: 1 });
    expect(first).toStrictEqual({
      entries: [{ entry_id: "b3", place: 2, count: 1 }],
      leaf_id: "b17",
      total: 16,
      scanned: 14,
      next_cursor: expect.any(String),
    });
    const second = await find({ query: "parser", limit: 1, cursor: first.next_cursor });
    expect(second).toMatchObject({ entries: [{ entry_id: "b2", place: 1 }], scanned: 15 });
    const last = await find({ query: "parser", limit: 1, cursor: second.next_cursor });
    expect(last).toMatchObject({ entries: [], scanned: 16, next_cursor: null });
  });

  it("refuses a branch that is none, and a session that is none of this service", async () => {
    const codeOf = async (payload: object) => (await service.call("find_in_session", payload)).error?.code;
    expect(await codeOf({ path: service.home.paths.branched, query: "a", leaf_id: "none" })).toBe("NOT_FOUND");
    expect(await codeOf({ path: service.home.outside, query: "a" })).toBe("FORBIDDEN");
  });
});
