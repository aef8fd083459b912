import { readFile } from "node:fs/promises";
import type { EntriesPage, TranscriptPage, TreeEntry } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "./real-service.ts";
import { linesOf } from "./sample-home.ts";

let service: RealService;

beforeAll(async () => {
  service = await startRealService();
});

afterAll(() => service[Symbol.asyncDispose]());

/** The branched session from its root to its newest leaf. */
const NEWEST_BRANCH = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17].map((place) => `b${place}`);

const entries = (payload: object) => service.ask<EntriesPage>("read_session_entries", payload);

describe("read_session_file", () => {
  it.each(["branched", "plain", "raw", "old"] as const)("is the exact text: %s", async (name) => {
    const path = service.home.paths[name];
    expect(await service.ask("read_session_file", { path })).toBe(await readFile(path, "utf8"));
  });

  it("keeps a byte order mark and U+2028, and replaces bytes that are no UTF-8", async () => {
    const text = await service.ask<string>("read_session_file", { path: service.home.paths.raw });
    expect(text.codePointAt(0)).toBe(0xfeff);
    expect(text).toContain("Bytes:\u2028\ufffd\ufffd(.");
  });
});

describe("read_session_entries", () => {
  it.each([
    [{}, NEWEST_BRANCH, { leaf_id: "b17", total: 16 }],
    [{ leaf_id: "b5" }, ["b1", "b2", "b3", "b4", "b5"], { leaf_id: "b5", total: 5 }],
    [{ limit: 2 }, ["b16", "b17"], { total: 16, has_more_before: true }],
    [{ before: "b6", limit: 2 }, ["b3", "b4"], { has_more_before: true, has_more_after: true }],
    [{ after: "b3", limit: 2 }, ["b4", "b6"], { has_more_before: true, has_more_after: true }],
    [{ after: "b1", before: "b4" }, ["b2", "b3"], { has_more_before: true, has_more_after: true }],
    [{ before: "b1" }, [], { has_more_after: true }],
  ])("%j", async (payload, ids: string[], more) => {
    const path = service.home.paths.branched;
    const [header, ...stored] = await linesOf(path);
    expect(await entries({ path, ...payload })).toStrictEqual({
      header,
      entries: stored.filter(({ id }) => ids.includes(`${id}`)),
      leaf_id: "b17",
      leaves: ["b5", "b17"],
      labels: { b2: "start", b5: "dead end" },
      total: 16,
      has_more_before: false,
      has_more_after: false,
      truncated_entries: [],
      ...more,
    });
  });

  it("gives entries of format 1 the ids of the tree", async () => {
    const path = service.home.paths.old;
    const [, ...stored] = await linesOf(path);
    const tree = await service.ask<TreeEntry[]>("read_session_tree", { path });
    expect((await entries({ path })).entries).toStrictEqual(
      stored.map((line, place) => ({ ...line, id: tree[place]?.id, parentId: tree[place]?.parent_id })),
    );
    expect(tree.map(({ parent_id }) => parent_id)).toEqual([null, ...tree.slice(0, -1).map(({ id }) => id)]);
  });

  it.each([
    [{ leaf_id: "none" }, { code: "NOT_FOUND" }],
    [{ before: "b5" }, { code: "INVALID_PAYLOAD", details: [{ path: "before", message: expect.any(String) }] }],
    [{ after: "none" }, { code: "INVALID_PAYLOAD", details: [{ path: "after", message: expect.any(String) }] }],
  ])("refuses %j", async (payload, error) => {
    const response = await service.call("read_session_entries", { path: service.home.paths.branched, ...payload });
    expect(response.error).toMatchObject(error);
  });
});

describe("read_transcript", () => {
  it.each([{}, { leaf_id: "b5" }, { limit: 2 }, { before: "b6", limit: 2 }, { after: "b3", limit: 2 }])(
    "is the same page as that of the entries: %j",
    async (more) => {
      const payload = { path: service.home.paths.branched, ...more };
      const { header: _header, entries: stored, ...page } = await entries(payload);
      const tree = await service.ask<TreeEntry[]>("read_session_tree", { path: payload.path });
      const ids = stored.map(({ id }) => id);
      const { items, entries: listed, ...rest } = await service.ask<TranscriptPage>("read_transcript", payload);
      expect(rest).toStrictEqual(page);
      expect(items.map(({ id }) => id)).toEqual(ids);
      expect(listed).toStrictEqual(tree.filter(({ id }) => ids.includes(id)));
    },
  );

  it.each([
    [{ leaf_id: "none" }, "NOT_FOUND"],
    [{ before: "b5" }, "INVALID_PAYLOAD"],
  ])("refuses %j", async (payload, code) => {
    const response = await service.call("read_transcript", { path: service.home.paths.branched, ...payload });
    expect(response.error).toMatchObject({ code });
  });
});

it("shows every entry in the tree of a session", async () => {
  const tree = await service.ask<TreeEntry[]>("read_session_tree", { path: service.home.paths.branched });
  const shown = tree.map(({ id, parent_id, type, role, label }) => [id, parent_id, role ?? type, label]);
  expect(shown).toEqual([
    ["b1", null, "model_change", null],
    ["b2", "b1", "user", "start"],
    ["b3", "b2", "assistant", null],
    ["b4", "b3", "tool", null],
    ["b5", "b4", "assistant", "dead end"],
    ["b6", "b4", "branch_summary", null],
    ["b7", "b6", "user", null],
    ["b8", "b7", "assistant", null],
    ["b9", "b8", "tool", null],
    ["b10", "b9", "label", null],
    ["b11", "b10", "label", null],
    ["b12", "b11", "label", null],
    ["b13", "b12", "label", null],
    ["b14", "b13", "session_info", null],
    ["b15", "b14", "bash", null],
    ["b16", "b15", "assistant", null],
    ["b17", "b16", "custom", null],
  ]);
  expect(tree[8]).toStrictEqual({
    id: "b9",
    parent_id: "b8",
    type: "message",
    kind: "tool_result",
    role: "tool",
    preview: "Edited src/names.ts",
    conversation: true,
    target_id: null,
    timestamp: "2026-03-01T10:00:09.000Z",
    label: null,
  });
});
