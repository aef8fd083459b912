import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ChangeKind, SessionRecord, TreeEntry } from "@sm/core";
import { bundleScript, startScript } from "@sm/core/child-script.fixture";
import { claudeCorpus, codexCorpus, piCorpus } from "@sm/core/corpora.fixture";
import { type Library, openLibrary } from "@sm/core/node";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { applyChanges } from "../receiving/changes.ts";
import { indexTexts } from "../search/text-indexing.ts";
import { log, TestHub } from "./hub.fixture.ts";

const HOMES = join(import.meta.dirname, "../../../../../shared/fixtures/homes");
const AT = "2026-01-02T03:04:05.000Z";
const EXPORT = { include_thinking: true, include_tools: true, redact: false, theme: "system" } as const;

const jsonl = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

const message = (id: string, parentId: string | null, content: object) => ({
  ...{ type: "message", id, parentId, timestamp: AT },
  message: { ...content, timestamp: Date.parse(AT) },
});

/** A server that does nothing but index. */
const SERVER = `
import { PostgresDatabase } from "../database/database.ts";
import { HubIndexer } from "./hub-indexer.ts";

const [, , url = ""] = process.argv;
const log = { info() {}, warn() {}, error() {} };
async function main() {
  const database = await PostgresDatabase.open({ url, log });
  new HubIndexer({ database, url, log });
  console.log("indexing");
}
void main();
setInterval(() => undefined, 1_000);
`;

class ServerScript {
  readonly #script: string;

  private constructor(script: string) {
    this.#script = script;
  }

  static async create(directory: string): Promise<ServerScript> {
    const script = join(directory, "server.mjs");
    writeFileSync(join(directory, "package.json"), '{"type":"module"}');
    await bundleScript(SERVER, import.meta.dirname, script);
    const worker = `import "../../../core/src/node/worker/worker.ts";`;
    await bundleScript(worker, import.meta.dirname, join(directory, "worker.js"));
    return new ServerScript(script);
  }

  start(url: string) {
    return startScript(this.#script, [url]);
  }
}

describe.runIf(needsPostgres())("sessions that machines have sent", () => {
  let server: PostgresServer;
  let hub: TestHub;
  let directory: string;
  let library: Library | null = null;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    hub = await TestHub.open(await server.newDatabase());
    directory = mkdtempSync(join(tmpdir(), "session-manager-hub-"));
  });
  afterEach(async () => {
    await library?.close();
    library = null;
    await hub.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const pi = (name: string) => join(directory, "agent", "sessions", name);
  const claude = (name: string) => join(directory, ".claude", "projects", name);
  const codex = (name: string) => join(directory, ".codex", "sessions", name);

  function write(path: string, lines: readonly object[]): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, jsonl(lines));
    return path;
  }

  async function home(): Promise<Library> {
    library = await openLibrary({
      agentDir: join(directory, "agent"),
      agentHome: directory,
      sessionPaths: [],
      otherAgentPaths: [claude(""), codex("")],
      dataDir: join(directory, "data"),
      log,
      watch: false,
    });
    return library;
  }

  /** Records of the library at home, as the hub has to have them. */
  async function recordsAtHome(at: Library): Promise<SessionRecord[]> {
    const records: SessionRecord[] = [];
    for await (const record of await at.scan()) records.push(record);
    return records
      .map((record) => ({ ...record, path: hub.pathOf(record.path), parent_session_path: onHub(record) }))
      .map(apart)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  function onHub({ parent_session_path: parent }: SessionRecord): string | null {
    return parent === null ? null : hub.pathOf(parent);
  }

  /** Without what the catalog does not tell, or a home does not. */
  const apart = (record: SessionRecord): SessionRecord => ({
    ...record,
    machine: null,
    indexed: false,
    is_live: false,
    expires_at: null,
  });

  /** Sums have another order. */
  const ofFile = (record: SessionRecord | undefined) => ({
    ...record,
    subagent_usage: record?.subagent_usage && {
      ...record.subagent_usage,
      estimated_cost_usd: record.subagent_usage.estimated_cost_usd?.toFixed(9),
    },
  });

  async function tree(path: string): Promise<TreeEntry[]> {
    const { stream } = await hub.reader.atLength("treeStart", { path: hub.pathOf(path) });
    const entries: TreeEntry[] = [];
    for (;;) {
      const piece = await hub.reader.atLength("treeNext", { stream });
      if (piece === null) return entries;
      entries.push(...piece);
    }
  }

  async function exported({ path, usage }: SessionRecord): Promise<string> {
    const { stream } = await hub.reader.atLength("exportStart", { path, usage, format: "html", ...EXPORT });
    let text = "";
    for (;;) {
      const piece = await hub.reader.atLength("exportNext", { stream });
      if (piece === null) return text;
      text += textOf(piece as Uint8Array);
    }
  }

  it("have the records, pages, trees and exports that a library over their files has", async () => {
    const paths = [
      write(pi("p/2026-01-02T03-04-05-006Z_a.jsonl"), piCorpus.lines),
      write(claude("p/11111111-1111-4111-8111-111111111111.jsonl"), claudeCorpus.lines),
      write(codex("2026/01/02/rollout-2026-01-02T03-04-05-b.jsonl"), codexCorpus.lines),
    ];
    hub.index();
    for (const path of paths) await hub.sendFile(path);
    const at = await home();
    const expected = await recordsAtHome(at);
    await hub.indexed();
    expect(expected).toHaveLength(3);
    const records = await hub.records();
    expect(records.map(apart)).toEqual(expected);
    for (const path of paths) {
      const options = { path: hub.pathOf(path), limit: 100 };
      const page = JSON.parse(textOf(await hub.reader.quickly("transcript", options)));
      expect(page).toEqual(await at.readTranscript({ ...options, path }));
      const entries: TreeEntry[] = [];
      for await (const entry of await at.readTree(path)) entries.push(entry);
      expect(await tree(path)).toEqual(entries);
      const find = { query: piCorpus.found.words[0] ?? "", role: "all", limit: 10 } as const;
      expect(await hub.reader.quickly("find", { ...find, path: hub.pathOf(path) })).toEqual(
        await at.find({ ...find, path }),
      );
      const { content } = await at.export({ path, format: "html", ...EXPORT });
      const record = records.find((one) => one.path === options.path);
      expect(record && (await exported(record))).toBe(content);
    }
    expect((await hub.changes()).map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ["added", 1],
      ["added", 2],
      ["added", 3],
    ]);
  });

  /** A session of pi with so many prompts, each with an answer. */
  const session = (prompts: number, word = "word"): object[] => [
    { type: "session", version: 3, id: word, timestamp: AT, cwd: "/w" },
    ...Array.from({ length: prompts }, (_, n) => [
      message(`${n}u`, n === 0 ? null : `${n - 1}a`, { role: "user", content: `${word} ${n}` }),
      message(`${n}a`, `${n}u`, { role: "assistant", content: [{ type: "text", text: `${word} `.repeat(50) }] }),
    ]).flat(),
  ];

  it("are taken as they grow, are written anew, and are sessions no more", async () => {
    const path = pi("p/a.jsonl");
    const send = (lines: readonly object[]) => hub.send(path, Buffer.from(jsonl(lines)));
    hub.index();
    await send(session(100));
    await hub.indexed();
    const first = await hub.row(path);
    expect(first).toMatchObject({ messageCount: 200, entryCount: 200, title: "word 0", indexedCount: 0 });
    await send(session(101));
    await hub.indexed();
    expect(await hub.row(path)).toMatchObject({ key: first?.key, messageCount: 202, entryCount: 202 });
    expect(await tree(path)).toHaveLength(202);
    await send(session(1, "other"));
    await hub.indexed();
    const other = await hub.row(path);
    expect(other).toMatchObject({ messageCount: 2, title: "other 0" });
    expect(other?.key).not.toBe(first?.key);
    expect(await tree(path)).toHaveLength(2);
    await send([{ nothing: true }]);
    await hub.indexed();
    expect(await hub.row(path)).toBeUndefined();
    const told = await hub.changes();
    expect(told.map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [1, "added"],
      [2, "changed"],
      [3, "changed"],
      [4, "removed"],
    ]);
  });

  it("are searchable when they are in the catalog", async () => {
    const path = pi("p/a.jsonl");
    hub.index({ indexTexts });
    for (const prompts of [3, 5]) {
      await hub.send(path, Buffer.from(jsonl(session(prompts))));
      await hub.indexed();
      expect(await hub.row(path)).toMatchObject({ entryCount: 2 * prompts, indexedCount: 2 * prompts });
    }
    expect(await hub.records()).toMatchObject([{ indexed: true }]);
  });

  it("are indexed together while many come", async () => {
    const files: number[] = [];
    const send = async (from: number, to: number) => {
      for (let n = from; n < to; n++) await hub.send(pi(`p/${n}.jsonl`), Buffer.from(jsonl(session(1))));
    };
    await send(0, 20);
    hub.index({ indexTexts, onIndexed: (indexed) => files.push(indexed.files) });
    await send(20, 50);
    await hub.indexed();
    expect(await hub.records()).toHaveLength(50);
    expect(files.reduce((sum, count) => sum + count, 0)).toBe(50);
    // One by one they are some thirty.
    expect(files.length).toBeLessThan(8);
  });

  it("are taken when they have grown, whatever is done with new ones", async () => {
    const [grown, added] = [pi("p/grown.jsonl"), pi("p/added.jsonl")];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    hub.index({
      indexTexts: async (_db, sessions) => {
        if (!sessions.some(({ path }) => path === hub.pathOf(added))) return;
        isHeld = true;
        await released;
      },
    });
    await hub.send(grown, Buffer.from(jsonl(session(1))));
    await hub.indexed();
    await hub.send(added, Buffer.from(jsonl(session(1))));
    await expect.poll(() => isHeld, { timeout: 20_000 }).toBe(true);
    await hub.send(grown, Buffer.from(jsonl(session(2))));
    await expect.poll(async () => (await hub.row(grown))?.entryCount, { timeout: 20_000 }).toBe(4);
    expect(await hub.row(added)).toBeUndefined();
    release();
    await hub.indexed();
    expect(await hub.row(added)).toMatchObject({ entryCount: 2 });
  });

  it("follow their files where these are moved, deleted, and there again", async () => {
    const [from, to] = [pi("p/a.jsonl"), pi("p/b.jsonl")];
    hub.index();
    await hub.send(from, Buffer.from(jsonl(session(1))));
    await hub.indexed();
    const before = await hub.row(from);
    const say = (kind: ChangeKind, path: string, value: string | null) =>
      hub.database.write(hub.userId, (db) =>
        applyChanges(db, hub.machineId, [{ path, session_id: "word", kind, key: "", value, at: AT }]),
      );
    await say("moved", from, to);
    await hub.indexed();
    expect(await hub.row(from)).toBeUndefined();
    expect(await hub.row(to)).toMatchObject({ key: before?.key, entryCount: 2 });
    expect(await tree(to)).toHaveLength(2);
    await say("deleted", to, AT);
    await hub.indexed();
    expect(await hub.row(to)).toBeUndefined();
    await expect(tree(to)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await hub.send(to, Buffer.from(jsonl(session(2, "again"))));
    await hub.indexed();
    expect(await hub.row(to)).toMatchObject({ title: "again 0", entryCount: 4 });
  });

  it("have the titles that their agents keep elsewhere, unless their files have others", async () => {
    const path = "/home/x/.codex/sessions/2026/01/02/rollout-word.jsonl";
    const meta = { timestamp: AT, type: "session_meta", payload: { id: "word", cwd: "/a" } };
    const said = { type: "message", role: "user", content: [{ type: "input_text", text: "Why does it drift?" }] };
    const asked = { timestamp: AT, type: "response_item", payload: said };
    const named = {
      timestamp: AT,
      type: "event_msg",
      payload: { type: "thread_name_updated", thread_name: "Its own" },
    };
    const title = () => hub.row(path).then((row) => row?.title);
    const tell = (value: string, at: string) =>
      hub.database.write(hub.userId, (db) =>
        applyChanges(db, hub.machineId, [{ path, session_id: "word", kind: "title", key: "", value, at }]),
      );
    hub.index();
    await tell("Told of nothing that is here", "2026-01-02T03:04:05.000Z");
    await hub.send(path, Buffer.from(jsonl([meta, asked])));
    await hub.indexed();
    expect(await title()).toBe("Why does it drift?");
    await tell("Drift", "2026-01-02T03:04:06.000Z");
    await hub.indexed();
    expect(await title()).toBe("Drift");
    expect((await hub.changes()).map(({ kind }) => kind)).toEqual(["added", "changed"]);
    // It stays, however the file is read.
    await hub.send(path, Buffer.from(jsonl([meta, asked, { ...asked, timestamp: "2026-01-02T03:04:07.000Z" }])));
    await hub.indexed();
    expect(await title()).toBe("Drift");
    await hub.send(path, Buffer.from(jsonl([meta, { ...asked, timestamp: "2026-01-02T03:04:08.000Z" }])));
    await hub.indexed();
    expect(await title()).toBe("Drift");
    await tell("Late", "2026-01-01T00:00:00.000Z");
    await tell("Drift of clocks", "2026-01-02T03:04:09.000Z");
    await hub.indexed();
    expect(await title()).toBe("Drift of clocks");
    await hub.send(path, Buffer.from(jsonl([meta, asked, named])));
    await hub.indexed();
    expect(await title()).toBe("Its own");
    await tell("Not any more", "2026-01-02T03:04:10.000Z");
    await hub.indexed();
    expect(await title()).toBe("Its own");
  });

  it("are fetched by their pages, however large they are", async () => {
    const path = pi("p/large.jsonl");
    const lines = session(4_000, "sentence of several words");
    await hub.send(path, Buffer.from(jsonl(lines)));
    hub.index();
    await hub.indexed();
    expect(await hub.row(path)).toMatchObject({ entryCount: 8_000 });
    const page = async () =>
      JSON.parse(textOf(await hub.reader.quickly("transcript", { path: hub.pathOf(path), limit: 50 })));
    const { items } = await page();
    expect(items).toHaveLength(50);
    // Parts of a file have a megabyte at most.
    expect(hub.reads.length).toBeLessThanOrEqual(2);
    await page();
    expect(hub.reads.length).toBeLessThanOrEqual(2);
  });

  it("take others with them neither where one cannot be read, nor where it ends the thread", async () => {
    const paths = Array.from({ length: 5 }, (_, n) => pi(`p/${n}.jsonl`));
    for (const [n, path] of paths.entries()) await hub.send(path, Buffer.from(jsonl(session(1, `word${n}`))));
    const bad = hub.pathOf(paths[2] ?? "");
    hub.index({
      indexTexts: async (_, sessions) => {
        if (sessions.some(({ path }) => path === bad)) throw new Error("This one ends the thread.");
      },
    });
    await hub.indexed();
    const found = (await hub.records()).map(({ path }) => path);
    expect(found).toEqual(paths.map((path) => hub.pathOf(path)).filter((path) => path !== bad));
    // It is not forgotten.
    const { rows } = await hub.database.read(hub.userId, (db) =>
      db.execute(sql`SELECT retry_at > now() AS later FROM index_requests`),
    );
    expect(rows).toEqual([{ later: true }]);
  });

  it("are all there, and once, whichever server is killed at whatever moment", async () => {
    const script = await ServerScript.create(directory);
    const paths = Array.from({ length: 12 }, (_, n) => pi(`p/${n}.jsonl`));
    let servers = [script.start(hub.url), script.start(hub.url)];
    for (let round = 1; round <= 8; round++) {
      for (const [n, path] of paths.entries()) {
        const word = round > 4 && n % 4 === 0 ? `other${n}` : `word${n}`;
        await hub.send(path, Buffer.from(jsonl(session(round * 20, word))));
      }
      const [oldest, ...others] = servers;
      await oldest?.hasPrinted(1);
      // Every other time it may be anywhere in its work.
      if (round % 2 === 0) await hub.indexed();
      else await delay(40 * round);
      oldest?.process.kill("SIGKILL");
      servers = [...others, script.start(hub.url)];
    }
    for (const { process } of servers) process.kill("SIGKILL");
    expect((await hub.changes()).length).toBeGreaterThan(paths.length);
    hub.index();
    await hub.indexed();
    const records = await hub.records();
    expect(records.map(({ message_count: count }) => count)).toEqual(paths.map(() => 320));
    for (const path of paths) {
      const ids = (await tree(path)).map(({ id }) => id);
      expect(ids).toEqual(
        session(160)
          .slice(1)
          .map((entry) => (entry as { id: string }).id),
      );
    }
    const told = await hub.changes();
    expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, place) => place + 1));
    expect(told.filter(({ kind }) => kind === "added")).toHaveLength(paths.length);
  });

  it.skipIf(!existsSync(HOMES))(
    "have the relations that the homes of agents have, in whatever order they come",
    async () => {
      cpSync(join(HOMES, "claude-code/home/.claude/projects"), claude(""), { recursive: true });
      cpSync(join(HOMES, "codex/home/.codex"), join(directory, ".codex"), { recursive: true });
      hub.index();
      hub.index();
      const at = await home();
      const expected = await recordsAtHome(at);
      const files = [...new Set(readdirSync(directory, { recursive: true, encoding: "utf8" }))].filter((name) =>
        statSync(join(directory, name)).isFile(),
      );
      const isSession = new Set(expected.map(({ path }) => path));
      for (const name of files.sort((a, b) => (a.length - b.length) * (b.charCodeAt(20) % 2 === 0 ? 1 : -1))) {
        const path = join(directory, name);
        if (name.startsWith("data")) continue;
        await hub.sendFile(path, isSession.has(hub.pathOf(path)) ? null : "/x.jsonl");
      }
      await hub.indexed();
      const records = (await hub.records()).map(apart);
      expect(records.map(({ path }) => path)).toEqual(expected.map(({ path }) => path));
      for (const [place, record] of records.entries())
        expect.soft(ofFile(record), record.path).toEqual(ofFile(expected[place]));
    },
  );
});
