import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import type { EntriesPage } from "../../library.ts";
import { codeOf, SessionText, scanAll, TestHome, treeOf, withoutTree } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";

let home: TestHome;
let library: Library;
beforeAll(async () => {
  home = await TestHome.create();
  library = await home.open();
});
afterAll(() => home[Symbol.asyncDispose]());

let lastFile = 0;
const write = (content: string | Uint8Array | object[]) => home.write(`p/${++lastFile}.jsonl`, content);

const idsOf = (entries: JsonObject[]) => entries.map((entry) => entry.id);

/** Twenty-five entries, the last of which is not on the branch of those before. */
function long(): { session: SessionText; branch: JsonObject[] } {
  const session = new SessionText();
  for (let n = 0; n < 12; n++) session.user(`question ${n}`).assistant(`answer ${n}`);
  return { session, branch: [...session.entries] };
}

describe("readEntries", () => {
  it("gives the newest entries of the newest branch, as they are stored", async () => {
    const { session, branch } = long();
    const path = await write(session.lines);
    expect(await library.readEntries({ path, limit: 5 })).toEqual({
      header: session.lines[0],
      entries: branch.slice(-5),
      leaf_id: session.leaf,
      leaves: [session.leaf],
      labels: {},
      total: 24,
      has_more_before: true,
      has_more_after: false,
      truncated_entries: [],
    });
  });

  it.each([1, 5, 7, 24, 100])("pages backwards by %d through everything once", async (limit) => {
    const { session, branch } = long();
    const path = await write(session.lines);
    const read: JsonObject[] = [];
    let page: EntriesPage | null = null;
    do {
      const before: string | undefined = page === null ? undefined : String(page.entries[0]?.id);
      page = await library.readEntries({ path, limit, before });
      read.unshift(...page.entries);
      expect(page.has_more_after).toBe(before !== undefined);
    } while (page.has_more_before);
    expect(read).toEqual(branch);
  });

  it.each([1, 5, 7, 24, 100])("pages forwards by %d through everything once", async (limit) => {
    const { session, branch } = long();
    const path = await write(session.lines);
    const read = branch.slice(0, 1);
    let page: EntriesPage;
    do {
      page = await library.readEntries({ path, limit, after: String(read.at(-1)?.id) });
      read.push(...page.entries);
      expect(page.has_more_before).toBe(true);
    } while (page.has_more_after);
    expect(read).toEqual(branch);
  });

  it("gives what lies between two entries, and nothing where that is nothing", async () => {
    const { session, branch } = long();
    const path = await write(session.lines);
    const [, second, third, fourth, fifth] = idsOf(branch).map(String);
    const between = (after?: string, before?: string) => library.readEntries({ path, limit: 50, after, before });
    expect(idsOf((await between(second, fifth)).entries)).toEqual([third, fourth]);
    expect((await between(second, third)).entries).toEqual([]);
    expect((await between(fifth, second)).entries).toEqual([]);
    expect(await between(session.leaf)).toMatchObject({ entries: [], has_more_before: true, has_more_after: false });
  });

  it("reads any branch by any entry of it", async () => {
    const { session, branch } = long();
    const old = session.leaf;
    const fork = String(branch[3]?.id);
    session.from(fork).user("another way").assistant("gladly");
    const path = await write(session.lines);
    const newest = await library.readEntries({ path, limit: 100 });
    expect(newest).toMatchObject({ leaf_id: session.leaf, leaves: [old, session.leaf], total: 6 });
    expect(newest.entries).toEqual([...branch.slice(0, 4), ...session.entries.slice(-2)]);
    const other = await library.readEntries({ path, limit: 100, leaf_id: old });
    expect(other).toMatchObject({ leaf_id: old, leaves: [old, session.leaf], total: 24, entries: branch });
    const part = await library.readEntries({ path, limit: 100, leaf_id: fork });
    expect(part).toMatchObject({ leaf_id: fork, total: 4, entries: branch.slice(0, 4), has_more_after: false });
    const side = { path, limit: 1, leaf_id: old };
    expect(await codeOf(library.readEntries({ ...side, before: session.leaf }))).toBe("INVALID_PAYLOAD");
    expect(await codeOf(library.readEntries({ ...side, after: "missing" }))).toBe("INVALID_PAYLOAD");
    expect(await codeOf(library.readEntries({ ...side, leaf_id: "missing" }))).toBe("NOT_FOUND");
  });

  it("gives entries of the first version the ids that the tree shows", async () => {
    const { session, branch } = long();
    const path = await write(withoutTree(session.lines));
    const page = await library.readEntries({ path, limit: 100 });
    const tree = await treeOf(library, path);
    expect(idsOf(page.entries)).toEqual(tree.map((entry) => entry.id));
    expect(page.entries.map((entry) => entry.parentId)).toEqual(tree.map((entry) => entry.parent_id));
    expect(page.entries.map((entry) => entry.message)).toEqual(branch.map((entry) => entry.message));
    const [first, second] = idsOf(page.entries).map(String);
    expect((await library.readEntries({ path, limit: 1, after: first })).entries[0]?.id).toBe(second);
  });

  it("tells labels as they are now", async () => {
    const session = new SessionText().user("a");
    const user = session.leaf;
    session.label(user, "first").label(user, "second").label("__proto__", "odd").label("constructor", "gone");
    session.label("constructor");
    const path = await write(session.lines);
    const { labels } = await library.readEntries({ path, limit: 1 });
    expect(Object.entries(labels)).toEqual([
      [user, "second"],
      ["__proto__", "odd"],
    ]);
  });

  it("shows a session without entries as empty", async () => {
    const session = new SessionText();
    const path = await write(session.lines);
    expect(await library.readEntries({ path, limit: 10 })).toEqual({
      header: session.lines[0],
      entries: [],
      leaf_id: null,
      leaves: [],
      labels: {},
      total: 0,
      has_more_before: false,
      has_more_after: false,
      truncated_entries: [],
    });
    expect(await treeOf(library, path)).toEqual([]);
  });

  it("sees at once what an agent has just appended", async () => {
    const session = new SessionText().user("a");
    const path = await write(session.lines);
    for (let n = 0; n < 10; n++) {
      session.assistant(`answer ${n}`);
      await home.append(path, session.lines.slice(-1));
      const page = await library.readEntries({ path, limit: 1 });
      expect(page).toMatchObject({ total: 2 + n, leaf_id: session.leaf, entries: session.entries.slice(-1) });
      expect(await treeOf(library, path)).toHaveLength(2 + n);
    }
  });
});

/** What entries without a role are, where the format's word for them says so. */
const NOTES: Readonly<Record<string, string>> = { label: "label", context_edit: "context_edit" };

describe("readTree", () => {
  it("shows every entry with its parent, role, preview and label", async () => {
    const session = new SessionText().user("one\ntwo");
    const user = session.leaf;
    session.assistant("answer");
    const answer = session.leaf;
    session.toolResult("result").entry({ type: "model_change", provider: "p", modelId: "m" });
    session.from(user).label(answer, "good").entry({ type: "new_in_this_year" });
    session.entry({ type: "context_edit", targetId: user, replacement: { content: "in short" } });
    const path = await write(session.lines);
    const ids = idsOf(session.entries);
    const shown = (place: number, parent: number | null, type: string, role: string | null, preview: string) => ({
      id: ids[place],
      parent_id: parent === null ? null : ids[parent],
      type,
      kind: { tool: "tool_result", user: "message", assistant: "message" }[role ?? ""] ?? NOTES[type] ?? "note",
      role,
      conversation: !["label", "model_change", "context_edit"].includes(type),
      preview,
      timestamp: session.entries[place]?.timestamp,
      label: ids[place] === answer ? "good" : null,
      target_id: { label: answer, context_edit: user }[type] ?? null,
    });
    expect(await treeOf(library, path)).toEqual([
      shown(0, null, "message", "user", "one two"),
      shown(1, 0, "message", "assistant", "answer"),
      shown(2, 1, "message", "tool", "result"),
      shown(3, 2, "model_change", null, "p/m"),
      shown(4, 0, "label", null, "good"),
      shown(5, 4, "new_in_this_year", null, ""),
      shown(6, 5, "context_edit", null, "in short"),
    ]);
  });

  it("takes orphans for roots, opens cycles, finds late parents and counts the first of two with one id", async () => {
    const line = (id: string, parentId: string | null, text: string) => ({
      type: "message",
      id,
      parentId,
      timestamp: "2026-03-01T10:00:00.000Z",
      message: { role: "user", content: text },
    });
    const path = await write([
      ...new SessionText().lines,
      line("orphan", "nobody", "1"),
      line("self", "self", "2"),
      line("x", "z", "3"),
      line("y", "x", "4"),
      line("z", "y", "5"),
      line("child", "late", "6"),
      line("late", null, "7"),
      line("orphan", "late", "8"),
    ]);
    const tree = await treeOf(library, path);
    expect(tree.map(({ id, parent_id, preview }) => [id, parent_id, preview])).toEqual([
      ["orphan", null, "1"],
      ["self", null, "2"],
      ["x", null, "3"],
      ["y", "x", "4"],
      ["z", "y", "5"],
      ["child", "late", "6"],
      ["late", null, "7"],
    ]);
    const { entries, leaves } = await library.readEntries({ path, limit: 10, leaf_id: "z" });
    expect(idsOf(entries)).toEqual(["x", "y", "z"]);
    expect(leaves).toEqual(["orphan", "self", "z", "child"]);
    expect(await scanAll(library)).toContainEqual(expect.objectContaining({ path, message_count: 7, branch_count: 4 }));
  });
});
