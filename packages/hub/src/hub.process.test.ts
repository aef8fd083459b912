import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@sm/router/client";
import { PostgresDatabase, SentFiles, Users } from "@sm/store-postgres";
import { needsPostgres, type PostgresServer, startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningHub, startHub } from "./start-hub.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

const lineOf = (id: string, parentId: string | null, role: "user" | "assistant", text: string) =>
  `${JSON.stringify({
    type: "message",
    id,
    parentId,
    timestamp: "2026-03-01T10:00:00.000Z",
    message: { role, content: [{ type: "text", text }] },
  })}\n`;

const SESSION = [
  `${JSON.stringify({ type: "session", version: 3, id: "s1", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/code/tides" })}\n`,
  lineOf("a", null, "user", "When is high water?"),
  lineOf("b", "a", "assistant", "At noon, as the almanac says."),
].join("");

describe.runIf(needsPostgres())("two servers of a hub", () => {
  let postgres: PostgresServer;
  let url: string;
  let database: PostgresDatabase;
  let hubs: RunningHub[];
  let token: string;
  let folder: string;

  const start = ({ store = url, directory = folder } = {}) => {
    const settings = {
      port: { value: "0", source: "test" },
      "config-dir": { value: directory, source: "test" },
      "log-level": { value: "fatal", source: "test" },
    };
    return startHub({ version: "1.2.3", store, settings, output: { write() {} } });
  };
  const clientOf = (hub: RunningHub, of = token) => createClient({ url: hub.url, token: of });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hub-test-"));
    postgres = await startPostgres();
    url = await postgres.newDatabase();
    hubs = [await start(), await start()];
    token = hubs[0]?.firstToken ?? "";
    database = await PostgresDatabase.open({ url, log });
  });

  afterAll(async () => {
    for (const hub of hubs) await hub.close();
    await database.close();
    await postgres.close();
    rmSync(folder, { recursive: true });
  });

  const machineId = randomUUID();
  const generation = randomUUID();
  const path = `/machines/${machineId}/home/x/.pi/agent/sessions/a.jsonl`;

  /** Sends what a session has more of than it had. */
  async function send(content: string, from = 0): Promise<void> {
    const [owner] = await new Users(database).list();
    const files = new SentFiles(database, owner?.id ?? "");
    await files.machine(machineId, "laptop");
    const bytes = Buffer.from(content);
    await files.append(
      {
        ...{ machineId, path: "/home/x/.pi/agent/sessions/a.jsonl", ownerPath: null, format: "pi", sessionId: "s1" },
        ...{ mode: 0o600, generation },
      },
      { offset: from, bytes: bytes.subarray(from), size: bytes.length },
    );
  }

  it("show what a machine has sent, read and searched like at home, and tell each other of changes", async () => {
    const [one, other] = hubs as [RunningHub, RunningHub];
    expect(token).toMatch(/^sm_/);
    expect(other.firstToken).toBeNull();
    const client = clientOf(other);
    const events: { event: string; payload: unknown; seq: number }[] = [];
    const follower = client.events({ onEvent: ({ event, payload, seq }) => events.push({ event, payload, seq }) });
    await expect.poll(() => events.map(({ event }) => event)).toContain("hello");
    expect(events[0]).toMatchObject({ payload: { kind: "hub" } });
    expect(await (await fetch(`${other.url}/health`)).json()).toMatchObject({ kind: "hub" });

    await send(SESSION);
    const sessions = async () => (await client.call("list_sessions", {})).sessions;
    await expect.poll(sessions, { timeout: 10_000 }).toHaveLength(1);
    expect(await sessions()).toMatchObject([
      {
        ...{ path, id: "s1", title: "When is high water?", cwd: "/code/tides", message_count: 2 },
        ...{ owner: null, machine: "laptop" },
        capabilities: { rename: true, fork: false, delete: false, start: false },
      },
    ]);
    await expect
      .poll(() => events.filter(({ event }) => event === "sessions-diff"), { timeout: 5_000 })
      .toMatchObject([{ payload: { added: [{ path }] } }]);

    const page = await client.call("read_transcript", { path });
    expect(page).toMatchObject({ total: 2, items: [{ id: "a" }, { id: "b" }] });
    expect(await client.call("read_session_file", { path })).toBe(SESSION);
    expect(await client.call("read_session_tree", { path })).toHaveLength(2);
    const found = async () => (await client.call("search", { query: "almanac" })).hits;
    await expect.poll(found, { timeout: 10_000 }).toMatchObject([{ session_path: path, entry_id: "b" }]);
    expect(await client.call("get_session_stats", { time_zone: "UTC" })).toMatchObject({
      longest_sessions: [{ path, message_count: 2 }],
    });
    const exported = await client.call("export_session", { path, format: "markdown" });
    expect(exported).toMatchObject({ content: expect.stringContaining("At noon") });

    await clientOf(one).call("toggle_favorite", { path });
    await expect
      .poll(() => events.filter(({ event }) => event === "sessions-diff").at(-1), { timeout: 5_000 })
      .toMatchObject({ payload: { updated: [{ path, is_favorite: true }] } });

    const grown = SESSION + lineOf("c", "b", "user", "And low water?");
    await send(grown, Buffer.byteLength(SESSION));
    await expect
      .poll(sessions, { timeout: 10_000 })
      .toMatchObject([{ message_count: 3, last_message: "And low water?" }]);
    follower.close();

    // Cut off there, somebody goes on at the other server: what came meanwhile is told, and nothing before.
    const before = events.find(({ event }) => event === "sessions-diff")?.seq ?? 0;
    const missed: { event: string; seq: number }[] = [];
    const response = await fetch(`${one.url}/api/events?after_seq=${before}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    for await (const chunk of response.body ?? []) {
      for (const [, event = "", seq = ""] of Buffer.from(chunk)
        .toString()
        .matchAll(/event: (\S+)\nid: (\d+)/g)) {
        missed.push({ event, seq: Number(seq) });
      }
      if (missed.some(({ event }) => event === "sessions-diff")) break;
    }
    expect(missed.map(({ event }) => event)).not.toContain("events-lost");
    expect(Math.min(...missed.slice(1).map(({ seq }) => seq))).toBeGreaterThan(before);
  });

  it("say in their metrics whether they keep up", async () => {
    const [one] = hubs as [RunningHub, RunningHub];
    const metrics = async () =>
      (await fetch(`${one.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).text();
    const text = await metrics();
    expect(text).toMatch(/^session_manager_hub_database_connections [1-9]/m);
    expect(text).toMatch(/^session_manager_hub_deaf_seconds 0$/m);
    expect(text).toMatch(/^session_manager_hub_database_up 1$/m);
    expect(text).toMatch(/^session_manager_hub_machines 1$/m);
    await expect.poll(metrics, { timeout: 10_000 }).toMatch(/^session_manager_hub_waiting_files 0$/m);
    const ofMachine = async (figure: string) =>
      Number(
        new RegExp(`^session_manager_hub_${figure}{machine="${machineId}"} (\\S+)$`, "m").exec(await metrics())?.[1],
      );
    expect(await ofMachine("machine_heard_seconds")).toBeLessThan(60);
    expect(await ofMachine("machine_waiting_files")).toBe(0);
  });

  it("say in their metrics how an object store is, if they have one", async () => {
    const [directory, objects] = [join(folder, "with-objects"), join(folder, "objects")];
    mkdirSync(directory);
    mkdirSync(objects);
    const configuration = { http_port: 0, chunk_store: { kind: "directory", directory: objects } };
    writeFileSync(join(directory, "session-manager.json"), JSON.stringify(configuration));
    const store = await postgres.newDatabase();
    const hub = await start({ store, directory });
    try {
      const headers = { Authorization: `Bearer ${hub.firstToken}` };
      const metrics = async () => (await fetch(`${hub.url}/metrics`, { headers })).text();
      // It looks whose store it is, and marks it.
      const marked = /^session_manager_hub_object_requests_total{request="put"} 1$/m;
      await expect.poll(metrics, { timeout: 10_000 }).toMatch(marked);
      const text = await metrics();
      expect(text).toMatch(/^session_manager_hub_object_bytes_total{request="put"} 36$/m);
      expect(text).toMatch(/^session_manager_hub_object_failures_total{request="get"} 0$/m);
      expect(text).toMatch(/^session_manager_hub_object_seconds_total{request="get"} 0\.\d+$/m);
      const [without] = hubs as [RunningHub, RunningHub];
      const others = await fetch(`${without.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
      expect(await others.text()).not.toContain("hub_object_");
    } finally {
      await hub.close();
    }
  });

  it("refuse whoever has no token, also on their own machine", async () => {
    for (const hub of hubs) {
      await expect(createClient({ url: hub.url }).call("list_sessions", {})).rejects.toMatchObject({
        code: "UNAUTHORIZED",
      });
    }
  });

  it("say of what runs on machines that it does", async () => {
    const client = clientOf(hubs[0] as RunningHub);
    await expect(client.call("list_terminals", {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(client.call("delete_session", { path })).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
