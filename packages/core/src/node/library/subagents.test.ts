import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LibraryEvent, ListOptions } from "../../library.ts";
import type { SessionRecord } from "../../session/record.ts";
import { LIST, SessionText, scanAll, searchAll, searchFor, TestHome, until, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

/** Where the extension pi-subagents keeps what a session has started. */
const below = (parent: string, run: number) => `${parent.replace(/\.jsonl$/, "")}/7f3e2a/run-${run}/2026_sub.jsonl`;

const said = (text: string, day: number) =>
  new SessionText({}, Date.parse(`2026-03-0${day}T10:00:00Z`)).user(text).assistant("Done.").lines;

/** A session with two subagents, of which one has a subagent too, and two other sessions. */
async function familyIn(home: TestHome) {
  const parent = await home.write("p/parent.jsonl", said("the parent", 1));
  const first = await home.write(below("p/parent.jsonl", 0), said("the first one", 2));
  const second = await home.write(below("p/parent.jsonl", 1), said("the second one", 3));
  const deepest = await home.write(
    join(dirname(below("p/parent.jsonl", 1)), "2026_sub/1a2b/run-0/deep.jsonl"),
    said("the deepest", 4),
  );
  const others = [await home.write("p/a.jsonl", said("one", 5)), await home.write("p/b.jsonl", said("two", 6))];
  return { parent, first, second, deepest, others };
}

async function listed(library: Library, more: Partial<ListOptions> = {}) {
  const sessions: SessionRecord[] = [];
  let cursor: string | undefined;
  let total: number;
  do {
    const page = await library.list({ ...LIST, limit: 1, ...more, cursor });
    sessions.push(...page.sessions);
    total = page.total;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(total).toBe(sessions.length);
  return sessions.map(({ path }) => path);
}

const usageOf = (answers: number) => ({
  input_tokens: 10 * answers,
  output_tokens: 5 * answers,
  cost_usd: answers / 4,
});

describe("subagents", () => {
  it("are under their parents in lists, in every order and with every filter", async () => {
    await using home = await TestHome.create();
    const { parent, first, second, deepest, others } = await familyIn(home);
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    const folded = [others[1], others[0], parent];
    const all = [others[1], others[0], deepest, second, first, parent];
    expect(await listed(library)).toEqual(folded);
    expect(await listed(library, { order: "asc" })).toEqual(folded.toReversed());
    expect(await listed(library, { sort: "created" })).toEqual(folded);
    expect(await listed(library, { query: "the" })).toEqual([parent]);
    expect(await listed(library, { since: "2026-03-02T00:00:00Z" })).toEqual([others[1], others[0]]);
    expect(await listed(library, { until: "2026-03-05T00:00:00Z" })).toEqual([parent]);
    expect(await listed(library, { project: "/home/dev/project" })).toEqual(folded);
    expect(await listed(library, { subagents: "all" })).toEqual(all);
    expect(await listed(library, { subagents: "all", sort: "created" })).toEqual(all);
    expect(await listed(library, { subagents: "all", until: "2026-03-04T00:00:00Z" })).toEqual([second, first, parent]);
    expect(await listed(library, { parent_path: parent })).toEqual([second, first]);
    expect(await listed(library, { parent_path: parent, query: "first" })).toEqual([first]);
    expect(await listed(library, { parent_path: second, sort: "size" })).toEqual([deepest]);
    expect(await listed(library, { parent_path: first })).toEqual([]);
    await expect(library.list({ parent_path: "/etc/passwd" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const hits = await searchAll(library, searchFor("deepest"));
    expect(hits.map(({ session_path }) => session_path)).toEqual([deepest]);
  });

  it("are in the records of those that have started them, with what all of them have used", async () => {
    await using home = await TestHome.create();
    const { parent, first, second, deepest, others } = await familyIn(home);
    const library = await home.open({ watch: false });
    const scanned = new Map((await scanAll(library)).map((record) => [record.path, record]));
    for (const [path, from, count] of [
      [parent, null, 3],
      [first, parent, 0],
      [second, parent, 1],
      [deepest, second, 0],
      [others[0] ?? "", null, 0],
    ] as const) {
      const expected = {
        relation: from === null ? null : "subagent",
        parent_session_path: from,
        subagent_count: count,
        usage: usageOf(1),
        subagent_usage: count === 0 ? null : usageOf(count),
      };
      expect(scanned.get(path)).toMatchObject(expected);
      expect(await library.session(path)).toEqual({ ...scanned.get(path), indexed: expect.any(Boolean) });
    }
  });

  it("come and go in any order, and records that tell of them are told anew", async () => {
    await using home = await TestHome.create();
    const events: LibraryEvent[] = [];
    const library = await home.open({ watch: false, onEvent: (event) => events.push(event) });
    /** What a client knows that applies every event. */
    const known = () => {
      const records = new Map<string, SessionRecord>();
      for (const event of events) {
        if (event.type !== "records-changed") continue;
        for (const record of [...event.added, ...event.updated]) records.set(record.path, record);
        for (const path of event.removed) records.delete(path);
      }
      return [...records.values()].map(withoutIndexed).sort((a, b) => (a.path < b.path ? -1 : 1));
    };
    const isTold = async () => {
      const sessions = (await library.list({ ...LIST, subagents: "all" })).sessions.map(withoutIndexed);
      await expect.poll(known).toEqual(sessions.sort((a, b) => (a.path < b.path ? -1 : 1)));
    };
    const sub = await home.write(below("p/parent.jsonl", 0), said("the first one", 2));
    await library.scan();
    expect(await listed(library)).toEqual([sub]);
    await isTold();
    const parent = await home.write("p/parent.jsonl", said("the parent", 1));
    await library.scan();
    expect(await listed(library)).toEqual([parent]);
    await isTold();
    await home.append(sub, new SessionText().assistant("More.").lines.slice(1));
    await library.scan();
    expect(await library.session(parent)).toMatchObject({ subagent_count: 1, subagent_usage: usageOf(2) });
    await isTold();
    const moved = parent.replace("parent", "moved");
    await rename(parent, moved);
    await library.scan();
    expect(await listed(library)).toEqual([sub, moved]);
    await isTold();
    await rename(moved, parent);
    await library.scan();
    await isTold();
    await rm(parent);
    await library.scan();
    expect(await listed(library)).toEqual([sub]);
    await isTold();
    await home.close(library);
    await mkdir(dirname(parent), { recursive: true });
    await home.write("p/parent.jsonl", said("the parent again", 1));
    const again = await home.open({ watch: false });
    await again.scan();
    expect(await listed(again)).toEqual([parent]);
    await again.delete(sub);
    expect(await again.session(parent)).toMatchObject({ subagent_count: 0, subagent_usage: null });
  });

  it("of Oh My Pi are in a folder with the name of their parent's file, those of subagents too", async () => {
    await using home = await TestHome.create();
    const name = "p/2026-03-01T10-00-00-000Z_0198c7e2";
    const parent = await home.write(`${name}.jsonl`, said("the parent", 1));
    const scout = await home.write(`${name}/0-Scout.jsonl`, said("the scout", 2));
    const reader = await home.write(`${name}/0-Scout/1-Reader.jsonl`, said("the reader", 3));
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    expect(await listed(library)).toEqual([parent]);
    expect(await listed(library, { parent_path: parent })).toEqual([scout]);
    expect(await listed(library, { parent_path: scout })).toEqual([reader]);
    expect(await library.session(parent)).toMatchObject({ subagent_count: 2, subagent_usage: usageOf(2) });
  });

  it("are listed while their parent's folder is missing", async () => {
    await using home = await TestHome.create();
    const elsewhere = join(home.directory, "elsewhere");
    await mkdir(join(elsewhere, "p"), { recursive: true });
    const { parent } = await familyIn(home);
    const library = await home.open({ watch: false });
    await library.scan();
    await until(() => library.status().pending === 0);
    expect((await listed(library)).includes(parent)).toBe(true);
    await rename(home.sessions, `${home.sessions}-away`);
    await library.scan();
    expect(await listed(library)).toEqual([]);
    await rename(`${home.sessions}-away`, home.sessions);
    await library.scan();
    expect(await listed(library)).toHaveLength(3);
    expect(await library.session(parent)).toMatchObject({ subagent_count: 3 });
  });
});

function withoutIndexed({ indexed, ...record }: SessionRecord) {
  return record;
}
