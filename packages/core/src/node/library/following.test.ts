import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SessionIdentity, UserState } from "../state/ports.ts";
import { openUserState } from "../state/user-state.ts";
import { Marking } from "./marking.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };
const session = (n: number | string, folder = "s") => ({ path: `/${folder}/${n}.jsonl`, id: `id-${n}` });
const MANY = Array.from({ length: 1_000 }, (_, n) => session(n));

let dataDir: string;
let state: UserState;
/** The sessions that exist, by path. */
let there: Map<string, SessionIdentity>;
/** How many sessions were looked for. */
let lookedFor: number;
let marking: Marking;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "following-"));
  state = openUserState({ dataDir, log });
  await state.marks.setArchived(MANY, "2026-01-02T03:04:05.000Z");
  there = new Map(MANY.map((one) => [one.path, one]));
  lookedFor = 0;
  marking = new Marking({
    marks: state.marks,
    notes: { matching: async () => [], paths: async () => [] },
    bookmarks: { paths: async () => [] },
    log,
    identities: async (wanted) => {
      lookedFor += wanted.length;
      const ids = new Set(wanted.map(({ id }) => id));
      const paths = new Set(wanted.map(({ path }) => path));
      return [...there.values()].filter(({ path, id }) => paths.has(path) || ids.has(id));
    },
    live: () => new Set(),
    expiring: async () => [],
    ended: async () => [],
  });
});

afterEach(async () => {
  await state.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function move(from: SessionIdentity, to: SessionIdentity): void {
  there.delete(from.path);
  there.set(to.path, to);
}

const isArchived = async ({ path }: SessionIdentity) => (await state.marks.archived()).has(path);

it("marks follow what has moved, whether that is told at once, before, or after", async () => {
  const [a, b, c] = [session(1, "moved"), session(2, "moved"), session(3, "moved")];
  move(session(1), a);
  expect(await marking.followMoves([session(1).path, a.path])).toEqual([a.path]);
  there.delete(session(2).path);
  expect(await marking.followMoves([session(2).path])).toEqual([]);
  there.set(b.path, b);
  expect(await marking.followMoves([b.path])).toEqual([b.path]);
  there.set(c.path, c);
  expect(await marking.followMoves([c.path])).toEqual([]);
  there.delete(session(3).path);
  expect(await marking.followMoves([session(3).path])).toEqual([c.path]);
  for (const moved of [a, b, c]) expect(await isArchived(moved)).toBe(true);
  // Of each a few.
  expect(lookedFor).toBeLessThan(20);
});

it("other sessions than those with marks cost nothing but a look", async () => {
  const added = session("new");
  there.set(added.path, added);
  expect(await marking.followMoves([added.path])).toEqual([]);
  expect(lookedFor).toBe(1);
});

it("the first time, all are compared", async () => {
  const a = session(1, "moved");
  move(session(1), a);
  expect(await marking.followMoves(null)).toEqual([a.path]);
  expect(lookedFor).toBe(1_000);
});
