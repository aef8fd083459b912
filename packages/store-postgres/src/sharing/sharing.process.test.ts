import { randomUUID } from "node:crypto";
import { hubPath, type SearchOptions, type SessionRecord } from "@sm/core";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { log, TestHub } from "../catalog/hub.fixture.ts";
import type { Queries } from "../database/database.ts";
import { Hub } from "../hub.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";

const SEARCH: Omit<SearchOptions, "query"> = { role: "all", sort: "newest", limit: 200, per_session: 200 };
const LIST = { sort: "modified", order: "desc", limit: 500 } as const;
const AT = "2026-01-02T03:04:05.000Z";

/** What a session says: its own word, and one that all have. */
function sessionOf(id: string, cwd: string, words = `tide ${id}`): Buffer {
  const header = { type: "session", version: 3, id, timestamp: "2026-03-01T10:00:00.000Z", cwd };
  const entry = {
    ...{ type: "message", id: "e1", parentId: null, timestamp: "2026-03-01T10:00:01.000Z" },
    message: { role: "user", content: [{ type: "text", text: words }] },
  };
  return Buffer.from(`${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`);
}

/**
 * Tables with rows that readers see, and which of these: conditions as their owner sees them. Others show nothing of
 * others: a table that is new is one of these.
 */
const SHARED_KEYS = "(SELECT key FROM sessions WHERE shared_project_id = $1)";
const VISIBLE: Record<string, string> = {
  sessions: `key IN ${SHARED_KEYS}`,
  outline_chunks: `session_key IN ${SHARED_KEYS}`,
  activity_chunks: `session_key IN ${SHARED_KEYS}`,
  answers: `session_key IN ${SHARED_KEYS}`,
  corrections: `session_key IN ${SHARED_KEYS}`,
  session_files: "key IN (SELECT file_key FROM sessions WHERE shared_project_id = $1)",
  generations: "key IN (SELECT generation_key FROM sessions WHERE shared_project_id = $1)",
  pieces: "generation_key IN (SELECT generation_key FROM sessions WHERE shared_project_id = $1)",
  tails: "generation_key IN (SELECT generation_key FROM sessions WHERE shared_project_id = $1)",
  chunks: `hash IN (SELECT hash FROM pieces WHERE generation_key IN
    (SELECT generation_key FROM sessions WHERE shared_project_id = $1))`,
  machines: "id IN (SELECT machine_id FROM sessions WHERE shared_project_id = $1)",
  marked_sessions: "path IN (SELECT path FROM sessions WHERE shared_project_id = $1)",
  session_names: `session_key IN (SELECT key FROM marked_sessions WHERE path IN
    (SELECT path FROM sessions WHERE shared_project_id = $1))`,
  text_segments: "shared_project_id = $1",
  text_chunks: "segment_id IN (SELECT id FROM text_segments WHERE shared_project_id = $1)",
  shared_projects: "id = $1",
  project_readers: "shared_project_id = $1",
  project_changes: "shared_project_id = $1",
};

describe.runIf(needsPostgres())("projects that users of a hub share", () => {
  let postgres: PostgresServer;
  let url: string;
  let hub: Hub;
  /** Two users, each with a machine. */
  let ada: TestHub;
  let ben: TestHub;

  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.newDatabase();
    hub = await Hub.open({ url, log, mostWaiting: 100 });
    ada = await TestHub.open(url);
    ben = await TestHub.open(url);
  });

  afterAll(async () => {
    await ada.close();
    await ben.close();
    await hub.close();
    await postgres.close();
  });

  const space = (of: TestHub) => hub.spaceOf(of.userId);
  const paths = (records: SessionRecord[]) => records.map(({ path }) => path).sort();
  const listed = async (of: TestHub, owner?: string) =>
    paths((await space(of).library.list({ ...LIST, owner })).sessions);
  const found = async (of: TestHub, query: string, more: Partial<SearchOptions> = {}) => {
    const { hits } = await space(of).library.search({ ...SEARCH, query, ...more });
    return hits.map(({ session_path }) => session_path).sort();
  };
  const nameOf = async (of: TestHub) =>
    (await space(of).sharedProjects.users()).find(({ id }) => id === of.userId)?.name ?? "";
  const fileOf = (id: string) => `/home/x/.pi/agent/sessions/${id}.jsonl`;

  it("show a reader what an owner finds in them, and nothing else of the owner, until it is taken back", async () => {
    for (const [id, cwd] of [
      ["a1", "/code/tides"],
      ["a2", "/code/tides/clock"],
      ["a3", "/code/tides-private"],
      ["a4", "/code/letters"],
    ] as const) {
      await ada.send(fileOf(id), sessionOf(id, cwd));
    }
    await ben.send(fileOf("b1"), sessionOf("b1", "/code/tides"));
    await ada.indexed();
    await ben.indexed();
    const [shared, below, others] = [ada.pathOf(fileOf("a1")), ada.pathOf(fileOf("a2")), ben.pathOf(fileOf("b1"))];
    expect(await listed(ben)).toEqual([others]);
    expect(await found(ben, "tide")).toEqual([others]);

    const { sharedProjects } = space(ada);
    await expect(sharedProjects.share({ project: "/nowhere", everybody: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(sharedProjects.share({ project: "/code/tides", users: [randomUUID()] })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(sharedProjects.share({ project: "/code/tides" })).rejects.toMatchObject({ code: "INVALID_PAYLOAD" });
    const row = await sharedProjects.share({ project: "/code/tides", users: [ben.userId] });
    expect(row).toMatchObject({ project: "/code/tides", owner: null, everybody: false, sessions: 2 });
    expect(row.users.map(({ id }) => id)).toEqual([ben.userId]);
    await ada.indexed();
    expect(await listed(ben)).toEqual([shared, below, others].sort());
    expect(await found(ben, "tide")).toEqual([shared, below, others].sort());
    const name = await nameOf(ada);
    expect(await listed(ben, name)).toEqual([shared, below].sort());
    expect(await found(ben, "tide", { owner: name })).toEqual([shared, below].sort());
    expect(await listed(ben, "nobody")).toEqual([]);
    expect((await space(ben).library.statistics({ owner: name })).totals.sessions).toBe(2);
    expect((await space(ben).library.statistics({})).totals.sessions).toBe(3);
    expect(await space(ben).sharedProjects.list()).toMatchObject([
      { project: "/code/tides", owner: name, everybody: false, users: [], sessions: 2 },
    ]);
    // The owner finds each once, as before.
    expect(await found(ada, "tide")).toHaveLength(4);

    const record = await space(ben).library.session(shared);
    expect(record).toMatchObject({ owner: name, machine: "laptop", capabilities: { rename: false } });
    expect((await space(ada).library.session(shared)).owner).toBeNull();
    await space(ada).library.rename(shared, "The almanac");
    expect(await space(ben).library.session(shared)).toMatchObject({ name: "The almanac", title: "The almanac" });
    const { hits } = await space(ben).library.search({ ...SEARCH, query: "a1" });
    expect(hits).toMatchObject([{ session_path: shared, session_title: "The almanac" }]);
    await expect(space(ben).library.rename(shared, "Mine")).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect((await space(ben).library.setArchived([shared], true)).failed).toMatchObject([
      { error: { code: "FORBIDDEN" } },
    ]);
    await space(ben).library.toggleFavorite(shared);
    expect(await space(ben).library.session(shared)).toMatchObject({ is_favorite: true });
    expect((await space(ada).library.session(shared)).is_favorite).toBe(false);
    expect(Buffer.from(await space(ben).library.transcriptJson({ path: shared, limit: 9 })).toString()).toContain("a1");

    // What comes later is shared, too, and what is appended is found.
    await ada.send(fileOf("a5"), sessionOf("a5", "/code/tides/clock"));
    await ada.send(fileOf("a1"), Buffer.concat([sessionOf("a1", "/code/tides"), sessionOf("x", "/w").subarray(-1)]));
    await ada.indexed();
    expect(await found(ben, "a5")).toEqual([ada.pathOf(fileOf("a5"))]);

    await sharedProjects.share({ project: "/code/tides", everybody: true });
    const left = { project: "/code/tides", users: [expect.objectContaining({ id: ben.userId })], everybody: false };
    expect(await sharedProjects.unshare({ project: "/code/tides", everybody: true })).toEqual(left);
    expect(await sharedProjects.unshare({ project: "/code/tides", users: [ben.userId] })).toEqual({
      ...{ project: "/code/tides", users: [], everybody: false },
    });
    expect(await listed(ben)).toEqual([others]);
    expect(await found(ben, "tide")).toEqual([others]);
    await expect(space(ben).library.transcriptJson({ path: shared, limit: 9 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(sharedProjects.unshare({ project: "/code/tides" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("show who may read the outer one the inner one, too, and the inner one alone to its readers", async () => {
    const carl = await TestHub.open(url);
    try {
      const { sharedProjects } = space(ada);
      await sharedProjects.share({ project: "/code/tides", users: [ben.userId] });
      await sharedProjects.share({ project: "/code/tides/clock", users: [carl.userId] });
      await ada.indexed();
      const inner = ["a2", "a5"].map((id) => ada.pathOf(fileOf(id)));
      expect(await listed(carl)).toEqual(inner);
      expect(await found(carl, "tide")).toEqual(inner);
      expect(await found(ben, "tide", { owner: await nameOf(ada) })).toEqual([ada.pathOf(fileOf("a1")), ...inner]);
      expect(await space(ben).sharedProjects.list()).toMatchObject([{ project: "/code/tides", sessions: 3 }]);
      await sharedProjects.unshare({ project: "/code/tides" });
      expect(await listed(ben, await nameOf(ada))).toEqual([]);
      expect(await listed(carl)).toEqual(inner);
      await sharedProjects.unshare({ project: "/code/tides/clock" });
      expect(await listed(carl)).toEqual([]);
    } finally {
      await carl.close();
    }
  });

  it("show nothing by a copied machine: own sessions win, and its id is shared by whoever has said it first", async () => {
    const path = "/home/x/.pi/agent/sessions/copied.jsonl";
    await ada.send(path, sessionOf("copied", "/code/copies", "of ada"));
    await ada.indexed();
    await space(ada).sharedProjects.share({ project: "/code/copies", everybody: true });
    await ada.indexed();
    const onHub = ada.pathOf(path);
    expect(await space(ben).library.session(onHub)).toMatchObject({ owner: await nameOf(ada) });

    const content = sessionOf("copied", "/code/copies", "of ben");
    await ben.files.machine(ada.machineId, "copy");
    await ben.files.append(
      {
        ...{ machineId: ada.machineId, path, ownerPath: null, format: "pi", sessionId: "copied", mode: 0o600 },
        generation: randomUUID(),
      },
      { offset: 0, bytes: content, size: content.length },
    );
    await ben.indexed();
    const read = async (of: TestHub) =>
      Buffer.from(await space(of).library.transcriptJson({ path: hubPath(ada.machineId, path), limit: 9 })).toString();
    expect(await read(ada)).toContain("of ada");
    expect(await read(ben)).toContain("of ben");
    expect(await space(ben).library.session(onHub)).toMatchObject({ owner: null });
    await space(ben).sharedProjects.share({ project: "/code/copies", everybody: true });
    await ben.indexed();
    expect(await space(ada).library.session(onHub)).toMatchObject({ owner: null });
    expect(await found(ada, '"of ben"')).toEqual([]);
    await space(ada).sharedProjects.unshare({ project: "/code/copies" });
    await space(ben).sharedProjects.unshare({ project: "/code/copies" });
  });

  it("tell their owners, and owners of the hub, who has read what", async () => {
    const path = ada.pathOf(fileOf("a4"));
    await space(ada).sharedProjects.share({ project: "/code/letters", everybody: true });
    await ada.indexed();
    for (let time = 0; time < 2; time++) await space(ben).library.transcriptJson({ path, limit: 9 });
    await space(ben).library.search({ ...SEARCH, query: "a4" });
    await space(ada).library.transcriptJson({ path, limit: 9 });
    const expected = ["search", "read_transcript"].map((action) => ({ action, session_path: path }));
    const { reads } = await space(ada).sharedProjects.reads({ limit: 50, path });
    expect(reads).toMatchObject(expected);
    expect(new Set(reads.map(({ reader }) => reader))).toEqual(new Set([await nameOf(ben)]));
    expect((await space(ben).sharedProjects.reads({ limit: 50, path })).reads).toEqual([]);
    const first = await space(ada).sharedProjects.reads({ limit: 1, path });
    expect(first).toMatchObject({ reads: [{ action: "search" }], next_cursor: expect.any(String) });
    const cursor = first.next_cursor ?? "";
    expect(await space(ada).sharedProjects.reads({ limit: 1, path, cursor })).toMatchObject({
      ...{ reads: [{ action: "read_transcript" }], next_cursor: null },
    });
    await expect(space(ada).sharedProjects.reads({ limit: 1, cursor: "x" })).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
    });
    await space(ada).sharedProjects.unshare({ project: "/code/letters" });
  });

  it("have every session once, however they come while projects are shared", async () => {
    const projects = ["/load", "/load/a", "/load/a/b", "/load/c"];
    const expected: string[] = [];
    const sending = async () => {
      for (let number = 0; number < 40; number++) {
        const path = fileOf(`load${number}`);
        await ada.send(path, sessionOf(`load${number}`, projects[number % projects.length] ?? "", "ebb and flow"));
        expected.push(ada.pathOf(path));
      }
    };
    const sharing = async () => {
      for (const project of projects.toReversed()) {
        while (true) {
          const done = await space(ada)
            .sharedProjects.share({ project, users: [ben.userId] })
            .catch(() => null);
          if (done !== null) break;
        }
      }
    };
    await Promise.all([sending(), sharing()]);
    await ada.indexed();
    expect(await found(ben, "ebb")).toEqual(expected.sort());
    expect(await found(ada, "ebb")).toEqual(expected);
    expect(await listed(ben, await nameOf(ada))).toEqual(expected);
    await space(ada).sharedProjects.unshare({ project: "/load" });
    expect(await found(ben, "ebb")).toHaveLength(30);
  });

  it("show no row of others but those of shared sessions, and change none, whatever is asked of any table", async () => {
    const carl = await TestHub.open(url);
    try {
      await fill(carl);
      const { rows } = await ben.database.asService((db) =>
        db.execute<{ name: string }>(sql`
          SELECT relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
          WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`),
      );
      const tables = rows.map(({ name }) => name);
      const ofCarl = async (db: Queries, table: string, condition = "true") => {
        const text = `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE user_id = '${carl.userId}' AND ${condition}`;
        return (await db.execute<{ row: string }>(sql.raw(text))).rows.map(({ row }) => row).sort();
      };
      for (const table of tables) {
        // Owners see who has read their sessions.
        if (table === "reads") continue;
        const none = await ben.database.readVisible(ben.userId, (db) => ofCarl(db, table));
        expect(none, table).toEqual([]);
      }
      const { sharedProjects } = space(carl);
      await sharedProjects.share({ project: "/carl/open", users: [ben.userId] });
      await carl.indexed();
      const [project] = (
        await carl.database.read(carl.userId, (db) =>
          db.execute<{ id: string }>(sql`SELECT id FROM shared_projects WHERE project = '/carl/open'`),
        )
      ).rows;
      const check = async (table: string) => {
        const condition = VISIBLE[table]?.replaceAll("$1", `'${project?.id}'`) ?? "false";
        const all = await carl.database.read(carl.userId, (db) => ofCarl(db, table));
        const expected = await carl.database.read(carl.userId, (db) => ofCarl(db, table, condition));
        if (!RARE.has(table)) expect(all, `${table} has rows`).not.toEqual([]);
        if (VISIBLE[table] !== undefined && !RARE.has(table)) expect(expected, `${table} has some`).not.toEqual([]);
        expect(await ben.database.readVisible(ben.userId, (db) => ofCarl(db, table)), table).toEqual(expected);
        expect(await ben.database.read(ben.userId, (db) => ofCarl(db, table)), table).toEqual([]);
        const attempts = [
          `UPDATE ${table} SET user_id = user_id WHERE user_id = '${carl.userId}'`,
          `DELETE FROM ${table} WHERE user_id = '${carl.userId}'`,
        ];
        for (const attempt of attempts) {
          const changed = await ben.database.write(ben.userId, async (db) => {
            await db.execute(sql`SET LOCAL session_manager.sees_others = 'on'`);
            return (await db.execute(sql.raw(attempt))).rowCount;
          });
          expect(changed, attempt).toBe(0);
        }
        expect(await carl.database.read(carl.userId, (db) => ofCarl(db, table)), table).toEqual(all);
      };
      // Texts may be merged between two questions.
      for (const table of tables) await vi.waitFor(() => check(table), PATIENT);
    } finally {
      await carl.close();
    }
  });

  /** Rows in every table that a user may have: of a session that is going to be shared, and one that is not. */
  async function fill(of: TestHub): Promise<void> {
    const { state, library, sharedProjects, preparedExports } = space(of);
    // Large enough for chunks of its bytes and of its texts.
    const words = Array.from({ length: 160_000 }, (_, place) => `w${(place * 7919) % 100_003}`).join(" ");
    for (const project of ["/carl/open", "/carl/closed"]) {
      const id = project.slice(6);
      await of.send(fileOf(id), sessionOf(id, project, `${words} ${id}`));
      await of.send(fileOf(id), Buffer.concat([sessionOf(id, project, `${words} ${id}`), Buffer.from("{}\n")]));
    }
    await of.indexed();
    const tag = await state.tags.create({ name: "work", color: "#112233" });
    for (const id of ["open", "closed"]) {
      const session = { path: of.pathOf(fileOf(id)), id };
      await state.tags.assign([session], tag.id);
      await library.toggleFavorite(session.path);
      await library.rename(session.path, `Name of ${id}`);
      await library.setArchived([session.path], true);
      await state.notes.set(session, null, "note", AT);
      await state.bookmarks.set(session, "e1", AT);
    }
    await state.versions.add({ bundle: {}, origin: "test" });
    const change = { versionId: randomUUID(), origin: "test", bundle: {}, tags: await state.tags.list(), values: {} };
    await state.configuration.change(change, () => undefined);
    await state.tokens.create({ name: "n", scope: "full", expires_at: null });
    await of.database.write(of.userId, async (db) => {
      await db.execute(sql`INSERT INTO user_identities (issuer, subject) VALUES ('i', ${of.userId})`);
      await db.execute(sql`INSERT INTO retention_rules (project, days) VALUES ('/carl/open', 100)`);
      await db.execute(sql`INSERT INTO sign_ins (token_id) SELECT id FROM tokens`);
    });
    const exported = { paths: [], format: "html", theme: "system", include_thinking: true } as const;
    await preparedExports.keep("ticket", { ...exported, include_tools: true, redact: false, paths: [] }, LIMITS);
    await sharedProjects.share({ project: "/carl/closed", users: [ada.userId] });
    await of.indexed();
    await space(ada).library.noteSharedChanges();
  }
});

const PATIENT = { timeout: 20_000, interval: 200 };
const LIMITS = { validMs: 60_000, most: 9 };

/** Tables that these sessions leave empty. */
const RARE = new Set([
  "answers",
  "corrections",
  "told_titles",
  "agent_titles",
  "unnamed_objects",
  "index_requests",
  "reads",
  "noted_projects",
]);
