import { describe, expect, it } from "vitest";
import type { SessionIdentity } from "../ports.ts";
import { type StateUnderTest, tag } from "./state-under-test.fixture.ts";

const a = { path: "/s/a.jsonl", id: "a" };
const b = { path: "/s/b.jsonl", id: "b" };
const c = { path: "/s/c.jsonl", id: "c" };
const moved = { path: "/elsewhere/renamed.jsonl", id: a.id };
const EARLY = "2026-01-02T03:04:05.000Z";
const LATE = "2026-02-03T04:05:06.000Z";

const archivedAt = async ({ state }: StateUnderTest, path: string) =>
  (await state.marks.marks([{ path }])).get(path)?.archived_at;

/** What holds of the marks of sessions, wherever they are kept. */
export function describeMarks(under: StateUnderTest): void {
  describe("favorites", () => {
    it("turn over, newest first, and are there after a restart", async () => {
      for (const session of [a, b, c]) expect(await under.state.marks.toggleFavorite(session)).toBe(true);
      expect(await under.state.marks.toggleFavorite(b)).toBe(false);
      expect(await under.state.marks.favorites()).toEqual([c.path, a.path]);
      expect(await under.state.marks.toggleFavorite(b)).toBe(true);
      await under.reopen();
      expect(under.state.problem).toBeNull();
      expect(await under.state.marks.favorites()).toEqual([b.path, c.path, a.path]);
    });

    it("leave nothing behind when they are turned off", async () => {
      await under.state.marks.toggleFavorite(a);
      await under.state.marks.toggleFavorite(a);
      expect(await under.state.marks.marked()).toEqual([]);
    });

    it("that are turned off keep their tags", async () => {
      await under.state.marks.toggleFavorite(a);
      await tag(under, a, "t");
      await under.state.marks.toggleFavorite(a);
      expect(await under.state.marks.marks([a])).toEqual(
        new Map([[a.path, { tag_ids: ["t"], is_favorite: false, archived_at: null, note_count: 0 }]]),
      );
    });
  });

  describe("marks", () => {
    it("are given for the sessions that were asked for and have some", async () => {
      await tag(under, a, "t2", "t1");
      await tag(under, b, "t1");
      await under.state.marks.toggleFavorite(b);
      expect(await under.state.marks.marks([a, b, c])).toEqual(
        new Map([
          [a.path, { tag_ids: ["t1", "t2"], is_favorite: false, archived_at: null, note_count: 0 }],
          [b.path, { tag_ids: ["t1"], is_favorite: true, archived_at: null, note_count: 0 }],
        ]),
      );
      expect([...(await under.state.marks.marks([b])).keys()]).toEqual([b.path]);
      expect(await under.state.marks.marks([])).toEqual(new Map());
    });

    it("are the same for a page and for all sessions", async () => {
      const sessions = Array.from({ length: 1200 }, (_, n) => ({ path: `/s/${n}.jsonl`, id: `${n}` }));
      for (const session of sessions.filter((_, n) => n % 100 === 0)) await under.state.marks.toggleFavorite(session);
      await under.state.marks.toggleFavorite(a);
      const all = await under.state.marks.marks(sessions);
      const pages = await Promise.all(
        [0, 400, 800].map((first) => under.state.marks.marks(sessions.slice(first, first + 400))),
      );
      expect(all.size).toBe(12);
      expect(new Map(pages.flatMap((page) => [...page]))).toEqual(all);
    });

    it("belong to a file, not to its copy", async () => {
      const copy = { path: "/s/copy.jsonl", id: a.id };
      await under.state.marks.toggleFavorite(a);
      expect(await under.state.marks.marks([a, copy])).toEqual(
        new Map([[a.path, { tag_ids: [], is_favorite: true, archived_at: null, note_count: 0 }]]),
      );
      await under.state.marks.forget([copy.path]);
      expect(await under.state.marks.favorites()).toEqual([a.path]);
    });

    it("keep any path as it is", async () => {
      const odd = { path: '/s/it\'s "odd" %_\\ 会議\u2028.jsonl', id: "x'; DROP TABLE tags" };
      await under.state.marks.toggleFavorite(odd);
      expect(await under.state.marks.favorites()).toEqual([odd.path]);
      expect((await under.state.marks.marks([odd])).get(odd.path)?.is_favorite).toBe(true);
    });
  });

  describe("sessionsWithTags", () => {
    it.each([
      [["t1"], [a.path, b.path]],
      [["t1", "t2"], [a.path]],
      [
        ["t1", "t1"],
        [a.path, b.path],
      ],
      [["t1", "unknown"], []],
      [[], []],
    ])("gives the sessions that have all of %j", async (tagIds, paths) => {
      await tag(under, a, "t1", "t2");
      await tag(under, b, "t1");
      await under.state.marks.toggleFavorite(c);
      expect([...(await under.state.marks.sessionsWithTags(tagIds))].sort()).toEqual(paths);
    });

    it("reads what it was asked for last again where marks have changed", async () => {
      await tag(under, a, "t1");
      const before = await under.state.marks.sessionsWithTags(["t1"]);
      expect(await under.state.marks.sessionsWithTags(["t1"])).toBe(before);
      await tag(under, b, "t1");
      expect([...(await under.state.marks.sessionsWithTags(["t1"]))].sort()).toEqual([a.path, b.path]);
      await under.state.marks.forget([a.path]);
      expect(await under.state.marks.sessionsWithTags(["t1"])).toEqual([b.path]);
    });
  });

  describe("sessionsUnderTag", () => {
    it.each([
      ["work", false, [a.path, b.path]],
      ["WÓRK", false, [a.path, b.path]],
      ["éTUDE", false, [b.path]],
      ["wor", false, []],
      ["wor", true, [a.path, b.path]],
      ["", true, [a.path, b.path, c.path]],
      ["other", false, [c.path]],
    ])("gives the sessions that %j (open: %j) or a tag below it leads to", async (value, prefix, paths) => {
      await tag(under, a, "Work");
      await tag(under, b, "Étude");
      await tag(under, c, "other");
      await under.state.tags.update("Étude", { parent_id: "Work" });
      expect([...(await under.state.marks.sessionsUnderTag({ value, prefix }))].sort()).toEqual(paths);
    });
  });

  describe("names", () => {
    it("are set, changed and removed, with what was there only for them", async () => {
      expect(await under.state.marks.names()).toEqual(new Map());
      await under.state.marks.setName(a, "One");
      await under.state.marks.setName(b, "Two");
      await under.state.marks.setName(a, "Three");
      const names = await under.state.marks.names();
      expect(names).toEqual(
        new Map([
          [a.path, "Three"],
          [b.path, "Two"],
        ]),
      );
      // What has not changed is the same map.
      await under.state.marks.toggleFavorite(c);
      expect(await under.state.marks.names()).toBe(names);
      await under.state.marks.setName(a, "");
      expect(await under.state.marks.names()).toEqual(new Map([[b.path, "Two"]]));
      expect(await under.state.marks.marked()).toEqual(expect.arrayContaining([b, c]));
      await under.state.marks.toggleFavorite(b);
      await under.state.marks.toggleFavorite(b);
      expect(await under.state.marks.names()).toEqual(new Map([[b.path, "Two"]]));
      await under.state.marks.forget([b.path]);
      expect(await under.state.marks.names()).toEqual(new Map());
    });

    it("follow moved files, and the one of the new path wins", async () => {
      const moved = (session: SessionIdentity) => ({ path: `/moved${session.path}`, id: session.id });
      await under.state.marks.setName(a, "One");
      await under.state.marks.setName(b, "Two");
      await under.state.marks.setName(moved(b), "Other");
      await under.state.marks.follow([moved(a), moved(b)]);
      expect(await under.state.marks.names()).toEqual(
        new Map([
          [moved(a).path, "One"],
          [moved(b).path, "Other"],
        ]),
      );
    });
  });

  describe("forget", () => {
    it("removes tags and favorite of one session", async () => {
      for (const session of [a, b]) {
        await tag(under, session, "t");
        await under.state.marks.toggleFavorite(session);
      }
      await under.state.marks.forget([a.path]);
      await under.state.marks.forget([a.path]);
      expect([...(await under.state.marks.marks([a, b])).keys()]).toEqual([b.path]);
      expect(await under.state.tags.assignments()).toEqual([{ tagId: "t", path: b.path }]);
      expect(await under.state.marks.favorites()).toEqual([b.path]);
    });
  });

  describe("follow", () => {
    const moved = { path: "/elsewhere/renamed.jsonl", id: a.id };

    it("carries marks along with a file that was moved while nobody watched, and keeps the order", async () => {
      await tag(under, a, "t");
      await under.state.marks.toggleFavorite(a);
      await under.state.marks.toggleFavorite(b);
      await under.reopen();
      await under.state.marks.follow([moved, b, c]);
      expect(await under.state.marks.marks([a, moved])).toEqual(
        new Map([[moved.path, { tag_ids: ["t"], is_favorite: true, archived_at: null, note_count: 0 }]]),
      );
      expect(await under.state.marks.favorites()).toEqual([b.path, moved.path]);
    });

    it("adds them to those that the new path has", async () => {
      await tag(under, a, "t1", "t2");
      await under.state.marks.toggleFavorite(a);
      await tag(under, moved, "t2", "t3");
      await under.state.marks.follow([moved]);
      expect(await under.state.marks.marks([moved])).toEqual(
        new Map([[moved.path, { tag_ids: ["t1", "t2", "t3"], is_favorite: true, archived_at: null, note_count: 0 }]]),
      );
      expect(await under.state.marks.marked()).toEqual([moved]);
    });

    it("keeps one favorite of two", async () => {
      for (const session of [a, b, moved]) await under.state.marks.toggleFavorite(session);
      await under.state.marks.follow([moved, b]);
      expect(await under.state.marks.favorites()).toEqual([moved.path, b.path]);
    });

    it("keeps marks whose file is away for a while", async () => {
      await under.state.marks.toggleFavorite(a);
      await under.state.marks.follow([b]);
      await under.state.marks.follow([a, b]);
      expect((await under.state.marks.marks([a])).get(a.path)?.is_favorite).toBe(true);
    });

    it("learns an id that became readable later", async () => {
      await under.state.marks.toggleFavorite({ path: a.path, id: "from the file name" });
      await under.state.marks.follow([a]);
      await under.state.marks.follow([moved]);
      expect(await under.state.marks.favorites()).toEqual([moved.path]);
    });
  });

  describe("archived sessions", () => {
    it("are told apart from those that were so before, and keep their time", async () => {
      expect(await under.state.marks.setArchived([a], EARLY)).toEqual([a.path]);
      expect(await under.state.marks.setArchived([a, b], LATE)).toEqual([b.path]);
      expect([await archivedAt(under, a.path), await archivedAt(under, b.path)]).toEqual([EARLY, LATE]);
      expect(await under.state.marks.setArchived([a], null)).toEqual([a.path]);
      expect(await under.state.marks.setArchived([a], null)).toEqual([]);
      expect(await under.state.marks.archived()).toEqual(new Set([b.path]));
    });

    it("follow a file that is moved, and go with one that is deleted", async () => {
      await under.state.marks.setArchived([a, b], EARLY);
      expect(await under.state.marks.archived()).toContain(a.path);
      expect(await under.state.marks.follow([moved, b])).toEqual([moved.path]);
      expect(await under.state.marks.archived()).toEqual(new Set([moved.path, b.path]));
      await under.state.marks.forget([b.path]);
      expect(await under.state.marks.archived()).toEqual(new Set([moved.path]));
      expect(await archivedAt(under, moved.path)).toBe(EARLY);
    });
  });
}
