import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { UserState } from "../state/ports.ts";
import { openUserState } from "../state/user-state.ts";
import { Tagging } from "./tagging.ts";

const SESSIONS = 1_300;
const TAG = { name: "work", color: "#336699" };

let dataDir: string;
let state: UserState;
let tagging: Tagging;
/** How many sessions were told of, by call. */
let told: number[];
const paths = Array.from({ length: SESSIONS }, (_, number) => `/s/${number}.jsonl`);

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tagging-"));
  state = openUserState({ dataDir, log: { info: () => {}, warn: () => {}, error: () => {} } });
  told = [];
  tagging = new Tagging({
    tags: state.tags,
    marks: state.marks,
    session: async (path) => ({ path, id: path }),
    existing: async (wanted) => new Set(wanted),
    archived: () => state.marks.archived(),
    touched: (touched) => told.push(touched.length),
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await state.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Counts how often something else could run meanwhile. */
async function turnsDuring(action: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await action().finally(() => clearImmediate(next));
  return turns;
}

describe("a tag of many sessions", () => {
  it("is given and asked for in pieces", async () => {
    const { id } = await tagging.create(TAG);
    const marks = vi.spyOn(state.marks, "marks");
    let given: Awaited<ReturnType<Tagging["assign"]>> = [];
    const turns = await turnsDuring(async () => {
      given = await tagging.assign(paths, id);
    });
    expect(given).toEqual(paths.map((path) => ({ session_path: path, tag_ids: [id] })));
    expect(marks.mock.calls.map(([some]) => some.length)).toEqual([500, 500, 300]);
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(told).toEqual([SESSIONS]);
  });

  it("is deleted in pieces", async () => {
    const { id } = await tagging.create(TAG);
    await tagging.assign(paths, id);
    told = [];
    const turns = await turnsDuring(() => tagging.delete(id));
    expect(told).toEqual([500, 500, 300]);
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(await tagging.list()).toEqual([]);
    expect(await state.marks.marked()).toEqual([]);
  });

  it("is there, on what is left, where deleting fails on the way", async () => {
    const { id } = await tagging.create(TAG);
    await tagging.assign(paths, id);
    const { tags } = state;
    const takeOff = tags.takeOff.bind(tags);
    vi.spyOn(tags, "takeOff").mockImplementationOnce(takeOff).mockRejectedValueOnce(new Error("The disk is full."));
    await expect(tagging.delete(id)).rejects.toThrow("The disk is full.");
    expect(await tagging.list()).toMatchObject([{ id, session_count: SESSIONS - 500 }]);
    await tagging.delete(id);
    expect(await tagging.list()).toEqual([]);
  });

  it("cannot be deleted twice", async () => {
    await expect(tagging.delete("none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
