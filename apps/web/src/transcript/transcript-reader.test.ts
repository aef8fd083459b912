import { piItem, type TranscriptItem, type TranscriptPage, type TreeEntry } from "@sm/core";
import { type Client, CommandError } from "@sm/router/client";
import { describe, expect, it } from "vitest";
import { TranscriptReader } from "./transcript-reader.ts";

interface Entry {
  id: string;
  parent: string | null;
}

interface PageQuestion {
  leaf_id?: string;
  after?: string;
  before?: string;
  limit: number;
}

/** A session in memory that answers as the service does. */
function session(initial: Entry[]) {
  const entries = [...initial];
  const asked: string[] = [];
  const itemOf = ({ id, parent }: Entry): TranscriptItem =>
    piItem({ type: "message", message: { role: "user", content: `says ${id}` } }, { id, parentId: parent });
  const inTree = ({ id, parent }: Entry): TreeEntry => ({
    id,
    parent_id: parent,
    type: "message",
    kind: id.startsWith("edit") ? "context_edit" : "message",
    role: "user",
    preview: id,
    conversation: true,
    target_id: id.startsWith("edit") ? "b" : null,
    timestamp: null,
    label: null,
  });
  const branchOf = (leaf: string | null) => {
    const branch: Entry[] = [];
    for (let id = leaf; id !== null; ) {
      const entry = entries.find((one) => one.id === id);
      if (entry === undefined) throw new CommandError("NOT_FOUND", "none");
      branch.unshift(entry);
      id = entry.parent;
    }
    return branch;
  };
  const commands = {
    read_session_tree: () => entries.map(inTree),
    read_session_entries: ({ leaf_id }: { leaf_id: string }) => ({ entries: [{ stored: leaf_id }] }),
    read_transcript({ leaf_id, after, before, limit }: PageQuestion): TranscriptPage {
      const whole = branchOf(leaf_id ?? entries.at(-1)?.id ?? null);
      const branch =
        before === undefined
          ? whole
          : whole.slice(
              0,
              whole.findIndex(({ id }) => id === before),
            );
      const start = after === undefined ? -1 : branch.findIndex(({ id }) => id === after);
      if (after !== undefined && start < 0) throw new CommandError("INVALID_PAYLOAD", "not on it");
      const page = after === undefined ? branch.slice(-limit) : branch.slice(start + 1, start + 1 + limit);
      return {
        items: page.map((entry) => {
          const item = itemOf(entry);
          const edit = whole.findLast(({ id }) => id.startsWith("edit"));
          if (item.kind !== "message" || edit === undefined || entry.id !== "b") return item;
          return { ...item, context_edit: { entry_id: edit.id, replacement: [{ kind: "text", text: edit.id }] } };
        }),
        entries: page.map(inTree),
        leaf_id: leaf_id ?? null,
        leaves: [],
        labels: {},
        total: branch.length,
        has_more_before: false,
        has_more_after: after !== undefined && start + 1 + limit < branch.length,
        truncated_entries: page.flatMap(({ id }) =>
          id.startsWith("large") ? [{ entry_id: id, offset: 9, size_bytes: 8 }] : [],
        ),
      };
    },
  };
  const call = async (name: keyof typeof commands, payload: never) => {
    asked.push(name);
    return commands[name](payload);
  };
  /** Two at a time. */
  async function* items(name: keyof typeof commands, payload: unknown) {
    const all = (await call(name, payload as never)) as unknown[];
    for (let start = 0; start < all.length; start += 2) yield all.slice(start, start + 2);
  }
  return { entries, asked, call: call as unknown as Client["call"], items: items as unknown as Client["items"] };
}

const FORKED: Entry[] = [
  { id: "a", parent: null },
  { id: "b", parent: "a" },
  { id: "old", parent: "b" },
  { id: "c", parent: "b" },
];

async function opened(entries: Entry[], choice: { leaf: string | null; entry: string | null }) {
  const served = session(entries);
  const reader = new TranscriptReader({ ...served, path: "/s.jsonl", expectedSize: 100 });
  await reader.open(choice);
  return { served, reader };
}

/** Waits until the reader has nothing more to do. */
async function settled(reader: TranscriptReader): Promise<void> {
  for (let version = -1; version !== reader.version; ) {
    version = reader.version;
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
  }
}

describe("TranscriptReader", () => {
  it.each([
    ["the newest branch", { leaf: null, entry: null }, ["a", "b", "c"]],
    ["the branch of a leaf", { leaf: "old", entry: null }, ["a", "b", "old"]],
    ["the branch of an entry that a link names", { leaf: null, entry: "old" }, ["a", "b", "old"]],
    ["the newest branch for an entry that is on it", { leaf: null, entry: "b" }, ["a", "b", "c"]],
    ["the branch of a leaf for an entry that is on it", { leaf: "old", entry: "a" }, ["a", "b", "old"]],
    ["the newest branch for an entry that is gone", { leaf: null, entry: "gone" }, ["a", "b", "c"]],
  ])("opens %s", async (_what, choice, ids) => {
    const { reader } = await opened(FORKED, choice);
    expect(reader.pages.ids).toEqual(ids);
    expect(reader.pages.item(ids.length - 1)?.id).toBe(ids.at(-1));
  });

  it("follows the newest branch by reading what is new", async () => {
    const { served, reader } = await opened(FORKED, { leaf: null, entry: null });
    served.asked.length = 0;
    served.entries.push({ id: "d", parent: "c" }, { id: "e", parent: "d" });
    reader.changed();
    await settled(reader);
    expect(reader.pages.ids).toEqual(["a", "b", "c", "d", "e"]);
    expect(reader.pages.item(4)?.id).toBe("e");
    expect(reader.tree?.branch("e")).toEqual(["a", "b", "c", "d", "e"]);
    expect(served.asked).toEqual(["read_transcript"]);
  });

  it("knows what was too large for a page, on the branch and appended to it", async () => {
    const { served, reader } = await opened([{ id: "large", parent: null }], { leaf: null, entry: null });
    expect(reader.truncated.get("large")).toEqual({ entry_id: "large", offset: 9, size_bytes: 8 });
    served.entries.push({ id: "b", parent: "large" }, { id: "large too", parent: "b" });
    reader.changed();
    await settled(reader);
    expect([...reader.truncated.keys()]).toEqual(["large", "large too"]);
  });

  it("reads what the model sees since an edit, and an entry as it is stored", async () => {
    const edits: Entry[] = [
      { id: "edit 1", parent: "c" },
      { id: "edit 2", parent: "edit 1" },
    ];
    const { reader } = await opened([...FORKED, ...edits], { leaf: null, entry: null });
    expect(await reader.replacement("b", "edit 1")).toEqual([{ kind: "text", text: "edit 1" }]);
    expect(await reader.replacement("b", "edit 2")).toEqual([{ kind: "text", text: "edit 2" }]);
    expect(await reader.source("old")).toEqual({ stored: "old" });
  });

  it("takes more at once than one page", async () => {
    const { served, reader } = await opened(FORKED, { leaf: null, entry: null });
    for (let at = 0; at < 450; at++) served.entries.push({ id: `n${at}`, parent: at === 0 ? "c" : `n${at - 1}` });
    reader.changed();
    await settled(reader);
    expect(reader.pages.total).toBe(453);
    expect(reader.pages.placeOf("n449")).toBe(452);
  });

  it("keeps an older branch in sight while the newest grows", async () => {
    const { served, reader } = await opened(FORKED, { leaf: "old", entry: null });
    served.entries.push({ id: "d", parent: "c" });
    reader.changed();
    await settled(reader);
    expect(reader.pages.ids).toEqual(["a", "b", "old"]);
    expect(reader.tree?.newestId).toBe("d");
    reader.show({ leaf: null, entry: null });
    expect(reader.pages.ids).toEqual(["a", "b", "c", "d"]);
  });

  it("goes over to another branch where the agent has", async () => {
    const { served, reader } = await opened(FORKED, { leaf: null, entry: null });
    served.entries.push({ id: "x", parent: "a" });
    reader.changed();
    await settled(reader);
    expect(reader.pages.ids).toEqual(["a", "x"]);
  });

  it("goes on where an older branch is continued", async () => {
    const { served, reader } = await opened(FORKED, { leaf: "old", entry: null });
    served.entries.push({ id: "more", parent: "old" });
    reader.changed();
    await settled(reader);
    expect(reader.pages.ids).toEqual(["a", "b", "old", "more"]);
    expect(reader.leafThrough("old")).toBeNull();
    expect(reader.leafThrough("c")).toBe("c");
  });
});
