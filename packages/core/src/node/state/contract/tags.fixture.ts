import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredTag } from "../ports.ts";
import type { StateUnderTest } from "./state-under-test.fixture.ts";

const COLOR = "#336699";
const a = { path: "/s/a.jsonl", id: "a" };
const b = { path: "/s/b.jsonl", id: "b" };

/** What holds of tags, wherever they are kept. */
export function describeTags(under: StateUnderTest): void {
  async function make(name: string, parent: StoredTag | null = null): Promise<StoredTag> {
    return under.state.tags.create({ name, color: COLOR, parent_id: parent?.id ?? null });
  }

  /** The tree as names: `work/urgent`. */
  async function tree(): Promise<string[]> {
    const tags = await under.state.tags.list();
    const nameOf = (tag: StoredTag): string => {
      const parent = tags.find(({ id }) => id === tag.parent_id);
      return parent === undefined ? tag.name : `${nameOf(parent)}/${tag.name}`;
    };
    return tags.map(nameOf).sort();
  }

  const replace = (tags: readonly StoredTag[]) =>
    under.state.configuration.change(
      { versionId: randomUUID(), origin: "test", bundle: {}, tags, values: {} },
      () => undefined,
    );

  const tagsOf = async (session: typeof a) =>
    (await under.state.marks.marks([session])).get(session.path)?.tag_ids ?? [];

  describe("tags", () => {
    it("are made, listed by name and there after a restart", async () => {
      const work = await make("work");
      await make("item 10");
      await make("item 9", work);
      expect(work).toEqual({ id: expect.any(String), name: "work", color: COLOR, parent_id: null });
      await under.reopen();
      expect((await under.state.tags.list()).map(({ name }) => name)).toEqual(["item 9", "item 10", "work"]);
      expect(await tree()).toEqual(["item 10", "work", "work/item 9"]);
    });

    it("have names of their own among siblings", async () => {
      const work = await make("work");
      const urgent = await make("urgent", work);
      await make("urgent");
      await expect(make("work")).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(make("urgent", work)).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(under.state.tags.update(urgent.id, { parent_id: null })).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await under.state.tags.update(urgent.id, { name: "urgent" })).toEqual(urgent);
    });

    it("change what is given, and nothing else", async () => {
      const [work, play] = [await make("work"), await make("play")];
      expect(await under.state.tags.update(play.id, { parent_id: work.id })).toEqual({ ...play, parent_id: work.id });
      expect(await under.state.tags.update(play.id, { color: "#000000" })).toMatchObject({
        parent_id: work.id,
        color: "#000000",
      });
      expect(await under.state.tags.update(play.id, { name: "fun", parent_id: null })).toMatchObject({
        name: "fun",
        parent_id: null,
      });
    });

    it("never lie below themselves", async () => {
      const top = await make("top");
      const middle = await make("middle", top);
      const bottom = await make("bottom", middle);
      for (const parent of [top, middle, bottom]) {
        await expect(under.state.tags.update(top.id, { parent_id: parent.id })).rejects.toMatchObject({
          code: "CONFLICT",
        });
      }
      expect(await tree()).toEqual(["top", "top/middle", "top/middle/bottom"]);
    });

    it("lie no deeper than somebody could want", async () => {
      let deepest = await make("1");
      for (let level = 2; level <= 100; level++) deepest = await make(`${level}`, deepest);
      await expect(make("101", deepest)).rejects.toMatchObject({ code: "CONFLICT" });
      const top = await make("top");
      const [first] = (await under.state.tags.list()).filter(({ name }) => name === "1");
      await expect(under.state.tags.update(first?.id ?? "", { parent_id: top.id })).rejects.toMatchObject({
        code: "CONFLICT",
      });
      expect(await under.state.marks.sessionsUnderTag({ value: "1", prefix: false })).toEqual(new Set());
    });

    it("that do not exist are not found", async () => {
      const missing = { code: "NOT_FOUND" };
      await expect(under.state.tags.create({ name: "x", color: COLOR, parent_id: "none" })).rejects.toMatchObject(
        missing,
      );
      await expect(under.state.tags.update("none", { name: "x" })).rejects.toMatchObject(missing);
      await expect(under.state.tags.update((await make("y")).id, { parent_id: "none" })).rejects.toMatchObject(missing);
      await expect(under.state.tags.delete("none")).rejects.toMatchObject(missing);
      await expect(under.state.tags.assign([a], "none")).rejects.toMatchObject(missing);
      await expect(under.state.tags.remove([a], "none")).rejects.toMatchObject(missing);
    });
  });

  describe("delete", () => {
    it("moves the children up, under a free name", async () => {
      const work = await make("work");
      const now = await make("now", work);
      for (const name of ["work", "urgent", "urgent (2)", "later"]) await make(name, now);
      await make("urgent", work);
      await under.state.tags.delete(now.id);
      expect(await tree()).toEqual([
        "work",
        "work/later",
        "work/urgent",
        "work/urgent (2)",
        "work/urgent (2) (2)",
        "work/work",
      ]);
      await under.state.tags.delete(work.id);
      expect(await tree()).toEqual(["later", "urgent", "urgent (2)", "urgent (2) (2)", "work"]);
    });

    it("takes the tag from its sessions, and tells which they were", async () => {
      const [work, play] = [await make("work"), await make("play")];
      await under.state.tags.assign([a, b], work.id);
      await under.state.tags.assign([b], play.id);
      expect((await under.state.tags.delete(work.id)).sort()).toEqual([a.path, b.path]);
      expect(await tagsOf(a)).toEqual([]);
      expect(await tagsOf(b)).toEqual([play.id]);
      expect(await under.state.marks.marked()).toEqual([b]);
    });
  });

  describe("assignments", () => {
    it("may be made and taken back twice", async () => {
      const work = await make("work");
      for (let time = 0; time < 2; time++) await under.state.tags.assign([a, b], work.id);
      expect(await under.state.tags.assignments()).toEqual(
        expect.arrayContaining([a, b].map(({ path }) => ({ tagId: work.id, path }))),
      );
      for (let time = 0; time < 2; time++) await under.state.tags.remove([a], work.id);
      expect(await tagsOf(a)).toEqual([]);
      expect(await tagsOf(b)).toEqual([work.id]);
      expect(await under.state.marks.marked()).toEqual([b]);
    });

    it("leave a favorite one when the last tag goes", async () => {
      const work = await make("work");
      await under.state.marks.toggleFavorite(a);
      await under.state.tags.assign([a], work.id);
      await under.state.tags.delete(work.id);
      expect(await under.state.marks.favorites()).toEqual([a.path]);
    });
  });

  it("of many sessions are assigned, read and deleted together", async () => {
    const sessions = Array.from({ length: 1_500 }, (_, n) => ({ path: `/s/${n}.jsonl`, id: `s${n}` }));
    const [work, play] = [await make("work"), await make("play")];
    await under.state.marks.toggleFavorite(a);
    await under.state.tags.assign([...sessions, a], work.id);
    await under.state.tags.assign(sessions.slice(0, 2), play.id);
    const marks = await under.state.marks.marks(sessions);
    expect(marks.size).toBe(1_500);
    expect(marks.get("/s/0.jsonl")).toEqual({
      tag_ids: [work.id, play.id].sort(),
      is_favorite: false,
      archived_at: null,
      note_count: 0,
    });
    expect(await under.state.tags.delete(work.id)).toHaveLength(1_501);
    expect(await under.state.marks.marked()).toEqual(expect.arrayContaining([a, ...sessions.slice(0, 2)]));
    await under.state.tags.remove(sessions, play.id);
    expect(await under.state.marks.marked()).toEqual([a]);
  });

  describe("replace", () => {
    it("brings a tree back, with the sessions of the tags that are still there", async () => {
      const work = await make("work");
      const urgent = await make("urgent", work);
      const before = await under.state.tags.list();
      await under.state.tags.assign([a], urgent.id);
      await under.state.tags.update(urgent.id, { name: "work", parent_id: null }).catch(() => undefined);
      await under.state.tags.update(work.id, { name: "urgent" });
      const later = await make("later", urgent);
      await under.state.tags.assign([b], later.id);
      expect(await replace(before)).toEqual([b.path]);
      expect(await under.state.tags.list()).toEqual(before);
      expect(await tagsOf(a)).toEqual([urgent.id]);
    });

    it.each<[string, StoredTag[]]>([
      ["a cycle", [tag("a", "b"), tag("b", "a")]],
      ["a parent that is not there", [tag("a", "none")]],
      ["two of a name", [tag("a", null), { ...tag("b", null), name: "a" }]],
    ])("changes nothing for %s", async (_, wrong) => {
      const work = await make("work");
      await under.state.tags.assign([a], work.id);
      await expect(replace(wrong)).rejects.toThrow();
      expect(await under.state.tags.list()).toEqual([work]);
      expect(await tagsOf(a)).toEqual([work.id]);
    });
  });

  function tag(id: string, parent_id: string | null): StoredTag {
    return { id, name: id, color: COLOR, parent_id };
  }

  it("stays a tree of uniquely named siblings whatever is done to it", async () => {
    const place = fc.nat({ max: 7 });
    const action = fc.oneof(
      fc.record({ do: fc.constant("create" as const), name: fc.constantFrom("x", "y"), at: place }),
      fc.record({ do: fc.constant("move" as const), from: place, at: place }),
      fc.record({ do: fc.constant("delete" as const), at: place }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        await replace([]);
        for (const step of actions) {
          const tags = await under.state.tags.list();
          const id = tags[step.at]?.id ?? null;
          try {
            if (step.do === "create") await under.state.tags.create({ name: step.name, color: COLOR, parent_id: id });
            if (step.do === "delete" && id !== null) await under.state.tags.delete(id);
            if (step.do === "move") await under.state.tags.update(tags[step.from]?.id ?? "none", { parent_id: id });
          } catch (error) {
            expect(error).toMatchObject({ code: expect.stringMatching(/^(CONFLICT|NOT_FOUND)$/) });
          }
          const names = (await under.state.tags.list()).map(({ name, parent_id }) => `${parent_id}/${name}`);
          expect(new Set(names).size).toBe(names.length);
          // Walks every tag to the top.
          expect(await tree()).toHaveLength(names.length);
        }
      }),
      { numRuns: 30 },
    );
  });
}
