import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hubPath } from "@sm/core";
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
    machine.settings = { projects: ["/work/chosen"], formats: ["pi"], redaction: null };
    hub.wire.keepsSent = true;
    const chosen = machine.session("a/chosen.jsonl", { cwd: "/work/chosen/below", text: message("chosen words") });
    const other = machine.session("b/other.jsonl", { cwd: "/work/chosenness", text: message("hidden words") });
    await machine.start();
    await machine.library.ready();
    await machine.library.setNote(other, null, "hidden note");
    await machine.library
      .delete(machine.session("b/third.jsonl", { cwd: "/work", text: message("x") }))
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
