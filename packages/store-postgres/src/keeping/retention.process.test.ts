import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { log, TestHub } from "../catalog/hub.fixture.ts";
import type { MissingBytes } from "../files/sent-files.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { TokenDirectory } from "../state/token-directory.ts";
import { userStateOf } from "../state/user-state.ts";
import { hubRetention } from "./hub-retention.ts";
import { Retention } from "./retention.ts";
import { UserRetention } from "./user-retention.ts";

const DAY_MS = 86_400_000;
const signal = new AbortController().signal;

/** A session of a project, with its last message so many days ago. */
function session(id: string, project: string, daysAgo: number, messages = 2): Buffer {
  const at = (place: number) => new Date(Date.now() - daysAgo * DAY_MS - (messages - place) * 1_000).toISOString();
  const lines: object[] = [{ type: "session", version: 3, id, timestamp: at(0), cwd: project }];
  for (let place = 0; place < messages; place++) {
    const message = { role: "user", content: [{ type: "text", text: `word ${id} ${place}` }] };
    lines.push({
      type: "message",
      id: `${id}-${place}`,
      parentId: place === 0 ? null : `${id}-${place - 1}`,
      timestamp: at(place),
      message,
    });
  }
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

function lastLine(content: Buffer): Buffer {
  return content.subarray(content.lastIndexOf("\n", -2) + 1);
}

describe.runIf(needsPostgres())("sessions whose time is over", () => {
  let server: PostgresServer;
  let hub: TestHub;
  let retention: Retention;
  let rules: UserRetention;

  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    hub = await TestHub.open(await server.newDatabase());
    hub.index();
    retention = new Retention(hub.database);
    rules = new UserRetention(hub.database, hub.userId);
  });
  afterEach(() => hub.close());
  afterAll(() => server.close());

  const ids = async () => (await hub.records()).map(({ id }) => id).sort();
  const count = async (what: string) => {
    const { rows } = await hub.database.read(hub.userId, (db) =>
      db.execute<{ count: number }>(sql.raw(`SELECT count(*)::int AS count FROM ${what}`)),
    );
    return rows[0]?.count;
  };
  /** Removes what is due, with its bytes. */
  async function remove(): Promise<void> {
    await retention.run(signal);
    await hub.indexed();
    await retention.run(signal);
  }
  async function sendAll(sessions: Record<string, [project: string, daysAgo: number]>): Promise<void> {
    for (const [id, [project, daysAgo]] of Object.entries(sessions)) {
      await hub.send(`/s/${id}.jsonl`, session(id, project, daysAgo));
    }
    await hub.indexed();
  }

  it("go by the rule of the longest project that fits, else by that for all, else by that of the hub", async () => {
    const sessions: Record<string, [string, number]> = {
      shop: ["/code/shop", 40],
      part: ["/code/shop/part", 40],
      shopping: ["/code/shopping", 40],
      old: ["/home", 400],
      new: ["/home", 1],
    };
    await sendAll(sessions);
    await remove();
    expect(await ids()).toHaveLength(5);
    await hubRetention({ url: hub.url, log }, 365);
    expect(await rules.preview(null, 10)).toMatchObject({
      sessions: 1,
      first: [{ title: "word old 0", project: "/home" }],
    });
    await rules.set({ project: "/code/shop/", days: 30, include_marked: false });
    const wanted = { project: "/code/shop/part", days: null, include_marked: false };
    expect((await rules.preview(wanted, 10)).first.map(({ title }) => title)).toEqual(["word old 0", "word shop 0"]);
    expect(await ids()).toHaveLength(5);
    expect(await rules.set(wanted)).toEqual({
      rules: [{ project: "/code/shop", days: 30, include_marked: false }, wanted],
      default_days: 365,
    });
    await remove();
    expect(await ids()).toEqual(["new", "part", "shopping"]);
    expect((await hub.changes()).filter(({ kind }) => kind === "removed")).toHaveLength(2);
    await rules.set({ project: null, days: null, include_marked: false });
    await rules.remove("/code/shop/part");
    await remove();
    expect(await ids()).toEqual(["new", "shopping"]);
    await expect(rules.remove("/code/shop/part")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("stay while they are favorites or have notes or bookmarks, unless the rule says otherwise; marks stay in any case", async () => {
    await sendAll({ favorite: ["/w", 9], noted: ["/w", 9], marked: ["/w", 9], named: ["/w", 9] });
    const tokens = new TokenDirectory(hub.database, { url: hub.url, log });
    const state = userStateOf(hub.userId, { database: hub.database, tokens, log });
    const of = (id: string) => ({ path: hub.pathOf(`/s/${id}.jsonl`), id });
    await state.marks.toggleFavorite(of("favorite"));
    await state.notes.set(of("noted"), "noted-1", "remember", new Date().toISOString());
    await state.bookmarks.set(of("marked"), "marked-1", new Date().toISOString());
    await state.marks.setName(of("named"), "a name");
    await rules.set({ project: "/w", days: 7, include_marked: false });
    await remove();
    expect(await ids()).toEqual(["favorite", "marked", "noted"]);
    await rules.set({ project: "/w", days: 7, include_marked: true });
    await remove();
    expect(await ids()).toEqual([]);
    expect(await state.marks.favorites()).toEqual([of("favorite").path]);
    expect(await count("session_names")).toBe(1);
    await tokens.close();
  });

  it("leave nothing of their bytes, are not sent again, and come whole when somebody goes on with them", async () => {
    const machine = { machineId: hub.machineId, ownerPath: null, format: "pi", sessionId: null, mode: 0o600 };
    const content = Buffer.concat([session("long", "/w", 20), Buffer.from("x".repeat(2_000_000)), Buffer.from("\n")]);
    const file = { ...machine, path: "/s/long.jsonl", generation: randomUUID() };
    await hub.files.append(file, { offset: 0, bytes: content, size: content.length });
    const companion = { ...machine, path: "/s/long/a.txt", ownerPath: file.path, generation: randomUUID() };
    await hub.files.append(companion, { offset: 0, bytes: Buffer.from("of it"), size: 5 });
    // Another one has the same bytes.
    const copy = { ...file, path: "/s/copy.jsonl", generation: randomUUID() };
    const newer = Buffer.concat([content, lastLine(session("long", "/w", 1, 3))]);
    await hub.files.append(copy, { offset: 0, bytes: newer, size: newer.length });
    await hub.indexed();
    await rules.set({ project: null, days: 7, include_marked: false });
    await remove();
    expect(await hub.records()).toHaveLength(1);
    expect(await count("pieces p JOIN generations g ON g.key = p.generation_key WHERE emptied_at IS NOT NULL")).toBe(0);
    expect(await count("chunks c WHERE NOT EXISTS (SELECT 1 FROM pieces p WHERE p.hash = c.hash)")).toBe(0);
    expect((await hub.files.read(copy.generation, 0, newer.length)).equals(newer)).toBe(true);

    const known = async () => [...(await hub.files.known([file.generation, companion.generation])).values()];
    expect(await known()).toEqual(expect.arrayContaining([content.length, 5]));
    expect(await hub.files.append(file, { offset: 0, bytes: content, size: content.length })).toBe(content.length);
    expect(await count("chunks c WHERE NOT EXISTS (SELECT 1 FROM pieces p WHERE p.hash = c.hash)")).toBe(0);
    const line = lastLine(session("long", "/w", 0, 3));
    const grown = Buffer.concat([content, line]);
    const gap = await hub.files
      .append(file, { offset: content.length, bytes: line, size: grown.length })
      .catch((error: MissingBytes) => error.bytes);
    expect(gap).toBe(0);
    await hub.files.append(file, { offset: 0, bytes: grown.subarray(0, 500_000), size: grown.length });
    expect(await hub.files.append(file, { offset: 500_000, bytes: grown.subarray(500_000), size: grown.length })).toBe(
      grown.length,
    );
    await hub.indexed();
    expect((await hub.files.read(file.generation, 0, grown.length)).equals(grown)).toBe(true);
    expect(await hub.records()).toHaveLength(2);
    expect(await known()).toEqual([grown.length]);
  });

  it("come back as they were where somebody goes on before their bytes are gone", async () => {
    const content = session("a", "/w", 20);
    await hub.send("/s/a.jsonl", content);
    await hub.indexed();
    await rules.set({ project: null, days: 7, include_marked: false });
    await retention.run(signal);
    await hub.send("/s/a.jsonl", Buffer.concat([content, lastLine(session("a", "/w", 0, 3))]));
    await hub.indexed();
    await retention.run(signal);
    expect(await ids()).toEqual(["a"]);
    expect(await count("session_files WHERE deleted_at IS NOT NULL OR expired_at IS NOT NULL")).toBe(0);
  });

  it("take states that were replaced, and what was deleted on its machine, with them", async () => {
    await sendAll({ rewritten: ["/w", 1], deleted: ["/w", 1] });
    await hub.send("/s/rewritten.jsonl", session("rewritten", "/w", 0, 3));
    await hub.database.write(hub.userId, (db) =>
      db.execute(sql`UPDATE session_files SET deleted_at = now() - interval '8 days' WHERE path = '/s/deleted.jsonl'`),
    );
    await hub.database.write(hub.userId, (db) =>
      db.execute(sql`UPDATE generations SET replaced_at = replaced_at - interval '8 days'`),
    );
    await hub.database.write(hub.userId, (db) =>
      db.execute(sql`DELETE FROM sessions WHERE path LIKE '%deleted.jsonl'`),
    );
    await rules.set({ project: null, days: 30, include_marked: false });
    await remove();
    expect(await count("tails")).toBe(3);
    await rules.set({ project: null, days: 7, include_marked: false });
    await remove();
    expect(await ids()).toEqual(["rewritten"]);
    expect(await count("tails")).toBe(1);
  });

  it("of one user are nobody else's", async () => {
    const other = await TestHub.open(hub.url);
    try {
      other.index();
      await other.send("/s/theirs.jsonl", session("theirs", "/w", 20));
      await other.indexed();
      await rules.set({ project: null, days: 7, include_marked: true });
      await remove();
      expect(await other.records()).toHaveLength(1);
      expect(await new UserRetention(other.database, other.userId).list()).toEqual({ rules: [], default_days: null });
    } finally {
      await other.close();
    }
  });
});
