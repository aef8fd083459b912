import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type BackedUpMarks, MAX_MARKS } from "../ports.ts";
import type { StateUnderTest } from "./state-under-test.fixture.ts";

const a = { path: "/s/a.jsonl", id: "a" };
const b = { path: "/s/b.jsonl", id: "b" };
const OLD = "2026-01-02T03:04:05.000Z";
const NEW = "2026-01-03T03:04:05.000Z";
const OF_A = { path: a.path, session_id: a.id };
const OF_B = { path: b.path, session_id: b.id };
const NONE: BackedUpMarks = { notes: [], bookmarks: [], archived: [], favorites: [], names: [], tagged: [] };

/** What holds of marks in a backup, wherever they are kept. */
export function describeBackedUpMarks(under: StateUnderTest): void {
  /** Makes one of each kind; gives what a backup holds then. */
  async function markAll(): Promise<BackedUpMarks> {
    const tag = await under.state.tags.create({ name: "work", color: "#112233", parent_id: null });
    await under.state.notes.set(b, "e1", "it's\n\u0000a \ud800 \u{1f600} note", NEW);
    await under.state.notes.set(a, null, "one", OLD);
    await under.state.bookmarks.set(a, "e2", OLD);
    await under.state.bookmarks.set(a, "e1", OLD);
    await under.state.marks.setArchived([b], NEW);
    await under.state.marks.toggleFavorite(b);
    await under.state.marks.toggleFavorite(a);
    await under.state.marks.setName(b, "Named");
    await under.state.tags.assign([a], tag.id);
    return {
      notes: [
        {
          ...OF_B,
          entry_id: "e1",
          text: expect.stringMatching(/^it's\n[\0\ufffd]a \ufffd+ \u{1f600} note$/u),
          updated_at: NEW,
        },
        { ...OF_A, entry_id: null, text: "one", updated_at: OLD },
      ],
      bookmarks: [
        { ...OF_A, entry_id: "e2", created_at: OLD },
        { ...OF_A, entry_id: "e1", created_at: OLD },
      ],
      archived: [{ ...OF_B, archived_at: NEW }],
      favorites: [OF_B, OF_A],
      names: [{ ...OF_B, name: "Named" }],
      tagged: [{ ...OF_A, tag_id: tag.id }],
    };
  }

  describe("marks in a backup", () => {
    it("are all there, and the same after they went into another state, once and again", async () => {
      expect(await under.state.configuration.marks()).toEqual(NONE);
      const expected = await markAll();
      const marks = await under.state.configuration.marks();
      expect(marks).toEqual(expected);
      const other = await under.another();
      try {
        const [tag] = await under.state.tags.list();
        const change = {
          versionId: randomUUID(),
          origin: "test",
          bundle: {},
          tags: tag === undefined ? [] : [tag],
          values: {},
        };
        expect(await other.marks.archived()).toEqual(new Set());
        const touched = await other.configuration.change({ ...change, marks }, () => undefined);
        expect(touched.sort()).toEqual([a.path, b.path]);
        expect(await other.configuration.marks()).toEqual(marks);
        expect(await other.marks.archived()).toEqual(new Set([b.path]));
        await other.configuration.addMarks(marks);
        expect(await other.configuration.marks()).toEqual(marks);
        expect(await other.marks.favorites()).toEqual(await under.state.marks.favorites());
      } finally {
        await other.close();
      }
    });

    it.each<[string, string, string | null]>([
      ["newer", NEW, "theirs"],
      ["no newer", OLD, "mine"],
      ["older", "2025-01-01T00:00:00.000Z", "mine"],
    ])("with a note that is %s than the one there replace it if it is newer", async (_, updated_at, text) => {
      await under.state.notes.set(a, "e1", "mine", OLD);
      await under.state.configuration.addMarks({
        ...NONE,
        notes: [{ ...OF_A, entry_id: "e1", text: "theirs", updated_at }],
      });
      expect(await under.state.configuration.marks()).toMatchObject({ notes: [{ entry_id: "e1", text }] });
    });

    it("remove nothing and keep what is known of a session", async () => {
      await markAll();
      const before = await under.state.configuration.marks();
      await under.state.configuration.addMarks(NONE);
      expect(await under.state.configuration.marks()).toEqual(before);
      await under.state.configuration.addMarks({
        ...NONE,
        names: [{ ...OF_B, session_id: "stranger", name: "Other" }],
        archived: [{ ...OF_B, archived_at: OLD }],
        tagged: before.tagged,
      });
      expect(await under.state.configuration.marks()).toEqual(before);
      expect(await under.state.marks.marked()).toEqual(expect.arrayContaining([a, b]));
    });

    it("go with the whole change, or not at all", async () => {
      const before = await under.state.configuration.marks();
      const change = { versionId: randomUUID(), origin: "test", bundle: {}, tags: [], values: {} };
      const marks = { ...NONE, favorites: [OF_A], archived: [{ ...OF_B, archived_at: OLD }] };
      const fail = () => {
        throw new Error("No room.");
      };
      await expect(under.state.configuration.change({ ...change, marks }, fail)).rejects.toThrow("No room.");
      expect(await under.state.configuration.marks()).toEqual(before);
      expect(await under.state.marks.marked()).toEqual([]);
      expect(await under.state.marks.archived()).toEqual(new Set());
    });

    it("leave out tags that were deleted meanwhile", async () => {
      await under.state.configuration.addMarks({
        ...NONE,
        favorites: [OF_A],
        tagged: [{ ...OF_A, tag_id: "deleted" }],
      });
      expect(await under.state.configuration.marks()).toEqual({ ...NONE, favorites: [OF_A] });
    });

    it("are refused rather than cut where there are too many", async () => {
      const many = (count: number) =>
        Array.from({ length: count }, (_, n) => ({ path: `/s/${n}`, session_id: `${n}` }));
      await under.state.configuration.addMarks({ ...NONE, favorites: many(MAX_MARKS) });
      expect((await under.state.configuration.marks()).favorites).toHaveLength(MAX_MARKS);
      await under.state.configuration.addMarks({ ...NONE, favorites: many(MAX_MARKS + 1) });
      await expect(under.state.configuration.marks()).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    });

    it("are refused where their notes are too large", async () => {
      const notes = Array.from({ length: 350 }, (_, n) => ({
        ...OF_A,
        entry_id: `${n}`,
        text: "x".repeat(20_000),
        updated_at: OLD,
      }));
      await under.state.configuration.addMarks({ ...NONE, notes });
      await expect(under.state.configuration.marks()).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    });
  });
}
