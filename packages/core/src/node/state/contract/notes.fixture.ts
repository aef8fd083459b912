import { expect, it } from "vitest";
import type { Note } from "../../../notes.ts";
import type { StateUnderTest } from "./state-under-test.fixture.ts";

const a = { path: "/s/a.jsonl", id: "a" };
const b = { path: "/s/b.jsonl", id: "b" };
const moved = { path: "/elsewhere/renamed.jsonl", id: a.id };
const AT = "2026-01-02T03:04:05.000Z";

/** What holds of notes, wherever they are kept. */
export function describeNotes(under: StateUnderTest): void {
  async function textsOf(path: string | null = null): Promise<[string | null, string][]> {
    const found: Note[] = [];
    for await (const page of under.state.notes.pages(path)) found.push(...page);
    return found.map(({ entry_id, text }) => [entry_id, text]);
  }

  it("are on sessions and on entries, the newest first, and removed by an empty text", async () => {
    await under.state.notes.set(a, null, "one", AT);
    await under.state.notes.set(a, "e1", "two", AT);
    await under.state.notes.set(b, "e1", "three", AT);
    await under.state.notes.set(a, null, "four", AT);
    const all = [
      [null, "four"],
      ["e1", "three"],
      ["e1", "two"],
    ];
    expect(await textsOf()).toEqual(all);
    expect(await textsOf(a.path)).toEqual([all[0], all[2]]);
    expect((await under.state.marks.marks([a])).get(a.path)).toMatchObject({ note_count: 2 });
    await under.state.notes.set(a, "e1", "", AT);
    await under.state.notes.set(a, null, "", AT);
    await under.state.notes.set(a, null, "", AT);
    expect(await under.state.notes.paths()).toEqual([b.path]);
    expect(await under.state.marks.marked()).toEqual([b]);
  });

  it("of many are read a few at a time, each once", async () => {
    for (let n = 0; n < 60; n++) await under.state.notes.set(a, `${n}`, `text ${n}`, AT);
    const sizes: number[] = [];
    for await (const page of under.state.notes.pages(null)) sizes.push(page.length);
    expect(sizes).toEqual([25, 25, 10]);
    expect(new Set((await textsOf()).map(([entry]) => entry)).size).toBe(60);
  });

  it("follow a file that is moved, beside those that it has, and go with one that is deleted", async () => {
    await under.state.notes.set(a, null, "of a", AT);
    await under.state.notes.set(a, "e1", "same", AT);
    await under.state.notes.set(a, "e2", "only here", AT);
    await under.state.notes.set(moved, null, "of the other", AT);
    await under.state.notes.set(moved, "e1", "same", AT);
    expect(await under.state.marks.follow([moved])).toEqual([moved.path]);
    expect(new Map(await textsOf())).toEqual(
      new Map([
        [null, "of the other\n\nof a"],
        ["e1", "same"],
        ["e2", "only here"],
      ]),
    );
    await under.state.marks.forget([moved.path]);
    expect(await textsOf()).toEqual([]);
  });

  it("stay when other marks go", async () => {
    await under.state.notes.set(a, null, "kept", AT);
    await under.state.marks.toggleFavorite(a);
    await under.state.marks.toggleFavorite(a);
    await under.state.marks.setArchived([a], AT);
    await under.state.marks.setArchived([a], null);
    expect(await textsOf()).toEqual([[null, "kept"]]);
  });
}
