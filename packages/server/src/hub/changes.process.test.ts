import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ChangesFrame, hubPath } from "@sm/core";
import { needsPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startHub, type TestHub } from "./hub.fixture.ts";
import { message, TestMachine } from "./machine.fixture.ts";

const WAITING = { timeout: 20_000, interval: 10 };

describe.runIf(needsPostgres())("what a machine says of its sessions", () => {
  let hub: TestHub;

  beforeAll(async () => {
    hub = await startHub();
  });
  beforeEach(() => hub.newUser());
  afterAll(() => hub.close());

  const settled = (machine: TestMachine) =>
    expect
      .poll(async () => {
        const { pending } = await machine.library.outbox.status();
        return pending === 0 && !machine.sender.progress.isSending;
      }, WAITING)
      .toBe(true);

  async function started(...names: string[]) {
    const machine = new TestMachine(hub);
    const paths = names.map((name) => machine.session(name, { text: message("hello") }));
    await machine.start();
    await machine.library.ready();
    await settled(machine);
    const id = await machine.machineId();
    return { machine, paths, onHub: paths.map((path) => hubPath(id, path)) };
  }

  /** Everything that is said on the hub of a session. */
  async function saidOf(path: string) {
    const { marks, tags, notes, bookmarks } = hub.state;
    const marked = (await marks.marks([{ path }])).get(path);
    const named = new Map((await tags.list()).map((tag) => [tag.id, tag.name]));
    const written: string[] = [];
    for await (const page of notes.pages(path))
      written.push(...page.map(({ entry_id, text }) => `${entry_id}: ${text}`));
    return {
      name: (await marks.names()).get(path) ?? null,
      tags: (marked?.tag_ids ?? []).map((id) => named.get(id)).sort(),
      isFavorite: marked?.is_favorite ?? false,
      isArchived: (marked?.archived_at ?? null) !== null,
      notes: written.sort(),
      bookmarks: (await bookmarks.list(path)).map(({ entryId }) => entryId),
    };
  }

  const NOTHING = { name: null, tags: [], isFavorite: false, isArchived: false, notes: [], bookmarks: [] };

  it("is said on the hub, and taken back there", async () => {
    const { machine, paths, onHub } = await started("one.jsonl", "two.jsonl");
    await using _ = machine;
    const { library } = machine;
    const [path = ""] = paths;
    const [there = "", other = ""] = onHub;
    const parent = await library.tags.create({ name: "work", color: "#112233", parent_id: null });
    const child = await library.tags.create({ name: "later", color: "#445566", parent_id: parent.id });
    await library.tags.assign([path], child.id);
    await library.toggleFavorite(path);
    await library.setArchived([path], true);
    await library.setNote(path, null, "remember");
    await settled(machine);
    const all = { ...NOTHING, tags: ["later"], isFavorite: true, isArchived: true, notes: ["null: remember"] };
    expect(await saidOf(there)).toEqual(all);
    expect(await saidOf(other)).toEqual(NOTHING);
    const tags = await hub.state.tags.list();
    expect(tags.map(({ name, color }) => [name, color])).toEqual([
      ["later", "#445566"],
      ["work", "#112233"],
    ]);
    await library.tags.remove([path], child.id);
    await library.toggleFavorite(path);
    await library.setArchived([path], false);
    await library.setNote(path, null, "");
    await settled(machine);
    expect(await saidOf(there)).toEqual(NOTHING);
  });

  it("and what its agent calls them, once the hub takes that", async () => {
    await using machine = new TestMachine(hub);
    machine.settings = { projects: null, formats: null, redaction: { words: ["Acme"] } };
    hub.wire.saysNoChangeKinds = true;
    hub.wire.keepsSent = true;
    const meta = { timestamp: "2026-06-24T09:00:00.000Z", type: "session_meta", payload: { id: "t1", cwd: "/code" } };
    const path = join(machine.sessions, "2026/06/24/rollout-t1.jsonl");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(meta)}\n`);
    const call = (thread_name: string) =>
      appendFileSync(
        join(dirname(machine.sessions), "session_index.jsonl"),
        `${JSON.stringify({ id: "t1", thread_name })}\n`,
      );
    const titles = () => titlesIn(hub.received);
    call("Clocks of Acme");
    await machine.start();
    await machine.library.ready();
    await settled(machine);
    expect((await machine.library.session(path)).title).toBe("Clocks of Acme");
    expect([await hub.count("session_files"), titles()]).toEqual([1, []]);
    // The next answer says it.
    hub.wire.saysNoChangeKinds = false;
    machine.append(path, message("hello"));
    await expect.poll(titles, WAITING).toEqual([expect.stringMatching(/^Clocks of \[redacted:[^\]]+\]$/)]);
    await settled(machine);
    // Once, until it is another one.
    machine.append(path, message("more"));
    await settled(machine);
    call("Tides");
    machine.append(path, message("even more"));
    await expect.poll(() => titles().at(-1), WAITING).toBe("Tides");
    await settled(machine);
    expect(titles()).toHaveLength(2);
    expect(await hub.count("agent_titles WHERE title = 'Tides'")).toBe(1);
    await machine.stop();
    await machine.start();
    await machine.library.ready();
    await settled(machine);
    expect(titles()).toHaveLength(2);
    // Another hub has none of it.
    await hub.newUser();
    machine.library.outbox.settings = null;
    machine.library.outbox.settings = machine.settings;
    await expect.poll(() => hub.count("agent_titles WHERE title = 'Tides'"), WAITING).toBe(1);
    expect(Buffer.concat(hub.received.flatMap(({ bytes }) => bytes)).toString()).not.toContain("Acme");
  });

  it("while the hub is away arrives afterwards, unless something later was said there", async () => {
    const { machine, paths, onHub } = await started("one.jsonl", "two.jsonl");
    await using _ = machine;
    const [one = "", two = ""] = paths;
    await hub.stop();
    await machine.library.setNote(one, null, "of the machine");
    await machine.library.setNote(two, null, "of the machine");
    await machine.library.setArchived([one], true);
    await machine.stop();
    const session = { path: onHub[0] ?? "", id: "session-1" };
    await hub.state.notes.set(session, null, "of the hub", "2026-01-01T00:00:00.000Z");
    await hub.start();
    await machine.start();
    await settled(machine);
    expect(await saidOf(onHub[0] ?? "")).toEqual({ ...NOTHING, isArchived: true, notes: ["null: of the hub"] });
    expect(await saidOf(onHub[1] ?? "")).toEqual({ ...NOTHING, notes: ["null: of the machine"] });
    await machine.library.setNote(one, null, "of the machine again");
    await settled(machine);
    expect((await saidOf(onHub[0] ?? "")).notes).toEqual(["null: of the machine again"]);
  });

  it("of deletion hides a session, until its file is there again", async () => {
    const { machine, paths } = await started("one.jsonl", "two.jsonl");
    await using _ = machine;
    const [path = ""] = paths;
    const content = readFileSync(path);
    await machine.library.delete(path, { force: true });
    await settled(machine);
    await expect.poll(() => hub.count("session_files WHERE deleted_at IS NOT NULL"), WAITING).toBe(1);
    writeFileSync(path, content);
    await expect.poll(() => hub.count("session_files WHERE deleted_at IS NOT NULL"), WAITING).toBe(0);
  });

  it("follows a session that is moved", async () => {
    const { machine, paths } = await started("one.jsonl", "two.jsonl");
    await using _ = machine;
    const [path = ""] = paths;
    await machine.library.setNote(path, null, "remember");
    await settled(machine);
    const to = join(dirname(path), "elsewhere", "one.jsonl");
    mkdirSync(dirname(to));
    renameSync(path, to);
    const id = await machine.machineId();
    await expect.poll(async () => (await hub.contentOf(id, to))?.equals(readFileSync(to)), WAITING).toBe(true);
    await settled(machine);
    expect((await saidOf(hubPath(id, to))).notes).toEqual(["null: remember"]);
    expect((await saidOf(hubPath(id, path))).notes).toEqual([]);
    expect(await hub.count("session_files WHERE deleted_at IS NULL")).toBe(2);
  });

  it("and its sessions are those that are chosen, and no others", async () => {
    await using machine = new TestMachine(hub);
    machine.settings = { projects: ["/code/chosen"], formats: ["pi"], redaction: null };
    hub.wire.keepsSent = true;
    const chosen = machine.session("a/chosen.jsonl", { cwd: "/code/chosen/below", text: message("chosen words") });
    const other = machine.session("b/other.jsonl", { cwd: "/code/chosenness", text: message("hidden words") });
    await machine.start();
    await machine.library.ready();
    await machine.library.setNote(other, null, "hidden note");
    await machine.library
      .delete(machine.session("b/third.jsonl", { cwd: "/code", text: message("x") }))
      .catch(() => {});
    machine.append(other, message("more hidden words"));
    machine.append(chosen, message("more chosen words"));
    const id = await machine.machineId();
    await expect
      .poll(async () => (await hub.contentOf(id, chosen))?.toString() ?? "", WAITING)
      .toContain("more chosen");
    await settled(machine);
    expect(await hub.count("session_files")).toBe(1);
    for (const { bytes, frames } of hub.received) {
      expect(Buffer.concat(bytes).toString() + JSON.stringify(frames)).not.toMatch(/hidden|other\.jsonl|third\.jsonl/);
    }
  });

  it("is sent of sessions that only the vault has, too", async () => {
    await using machine = new TestMachine(hub);
    machine.settings = { projects: [], formats: null, redaction: null };
    const path = machine.session("one.jsonl", { text: message("hello") });
    const content = readFileSync(path);
    await machine.start({ vault: true });
    await expect.poll(async () => (await machine.library.vault.status()).sessions, WAITING).toBe(1);
    rmSync(path);
    await expect.poll(async () => (await machine.library.session(path)).source, WAITING).toBe("vault");
    machine.library.outbox.settings = { projects: null, formats: null, redaction: null };
    const id = await machine.machineId();
    await expect.poll(async () => (await hub.contentOf(id, path))?.equals(content), WAITING).toBe(true);
  });
});

/** What agents call their sessions, as it has come. */
function titlesIn(received: TestHub["received"]): (string | null)[] {
  const changes = received.flatMap(({ frames }) => frames).flatMap((frame) => (frame as ChangesFrame).changes ?? []);
  return changes.filter(({ kind }) => kind === "title").map(({ value }) => value);
}
