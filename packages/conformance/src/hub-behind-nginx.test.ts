import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { BATCH_TYPE, type BytesFrame, encodeBatch, hubPath } from "@sm/core";
import { type RunningHub, startHub } from "@sm/hub";
import { type Client, createClient } from "@sm/router/client";
import { needsPostgres, type PostgresServer, startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Nginx, startHubNginx } from "./nginx.ts";
import { findSystemProgram } from "./system-program.ts";

const nginx = findSystemProgram("nginx");
const pack = promisify(brotliCompress);
const PATIENT = { timeout: 15_000 };

const MACHINE = { id: randomUUID(), name: "laptop" };
const FILE = { path: "/home/x/.pi/agent/sessions/a.jsonl", session_id: "s1", generation: randomUUID() };
const OTHER_FILE = { path: "/home/x/.pi/agent/sessions/b.jsonl", session_id: "s2", generation: randomUUID() };

const line = (value: object) => `${JSON.stringify(value)}\n`;
const AT = "2026-03-01T10:00:00.000Z";
const message = (id: string, parentId: string | null, text: string, timestamp = AT) =>
  line({
    ...{ type: "message", id, parentId, timestamp },
    message: { role: "user", content: [{ type: "text", text }] },
  });
const SESSION =
  line({ type: "session", version: 3, id: "s1", timestamp: AT, cwd: "/code/tides" }) +
  message("a", null, "When is high water?");
const OTHER_SESSION =
  line({ type: "session", version: 3, id: "s2", timestamp: AT, cwd: "/code/tides" }) +
  message("a", null, "When is low water?", "2026-03-02T10:00:00.000Z");

describe.runIf(nginx !== null && needsPostgres())("two servers of a hub behind nginx", () => {
  let postgres: PostgresServer;
  let hubs: [RunningHub, RunningHub];
  let proxy: Nginx;
  let folder: string;
  let token: string;
  let client: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hub-behind-nginx-"));
    postgres = await startPostgres();
    const store = await postgres.newDatabase();
    const start = () =>
      startHub({
        version: "1.2.3",
        store,
        settings: {
          port: { value: "0", source: "test" },
          "config-dir": { value: folder, source: "test" },
          "log-level": { value: "fatal", source: "test" },
        },
        output: { write() {} },
      });
    hubs = [await start(), await start()];
    token = hubs[0].firstToken ?? "";
    proxy = await startHubNginx(nginx ?? "", [hubs[0].url, hubs[1].url]);
    client = createClient({ url: proxy.url, token, transport: "websocket", WebSocket });
  });

  afterAll(async () => {
    client.close();
    await proxy[Symbol.asyncDispose]();
    await Promise.all(hubs.map((hub) => hub.close()));
    await postgres.close();
    rmSync(folder, { recursive: true });
  });

  /** Whatever one server has begun, the other goes on with; both are asked by name, and in turns by nginx. */
  async function goOnAtTheOther(path: string): Promise<void> {
    const [one, other] = hubs.map(({ url }) => createClient({ url, token })) as [Client, Client];
    const ask = (url: string, method = "GET") => fetch(url, { method, headers: { Authorization: `Bearer ${token}` } });

    const first = await one.call("list_sessions", { subagents: "all", limit: 1 });
    const second = await other.call("list_sessions", { subagents: "all", limit: 1, cursor: first.next_cursor });
    expect([first, second]).toMatchObject([{ sessions: [{ id: "s2" }] }, { sessions: [{ id: "s1" }], total: 2 }]);
    expect(second.next_cursor).toBeNull();

    const { url } = await one.call("export_sessions", { paths: [path], format: "json" });
    expect((await ask(hubs[1].url + url, "HEAD")).status).toBe(200);
    const answers = await Promise.all(hubs.map((hub) => ask(hub.url + url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    for (const answer of answers) await answer.arrayBuffer();

    // Its connection makes both servers equally busy: nginx asks them in turns.
    const throughProxy = createClient({ url: proxy.url, token, transport: "websocket", WebSocket });
    const before = await Promise.all(hubs.map(downloadsFrom));
    for (let time = 0; time < 2; time++) {
      const prepared = await throughProxy.call("export_sessions", { paths: [path], format: "json" });
      // Two before it, so that it comes from the other one the next time.
      for (let look = 0; look < 2; look++) expect((await ask(proxy.url + prepared.url, "HEAD")).status).toBe(200);
      const zip = await ask(proxy.url + prepared.url);
      expect(zip.status).toBe(200);
      expect(
        Buffer.from(await zip.arrayBuffer())
          .subarray(0, 2)
          .toString(),
      ).toBe("PK");
    }
    throughProxy.close();
    const after = await Promise.all(hubs.map(downloadsFrom));
    expect(after.map((count, place) => count - (before[place] ?? 0))).toEqual([1, 1]);
  }

  async function downloadsFrom(hub: RunningHub): Promise<number> {
    const answer = await fetch(`${hub.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
    const count = /^session_manager_http_requests_total\{method="GET",route="\/api\/export",status="200"\} (\d+)$/m;
    return Number(count.exec(await answer.text())?.[1] ?? 0);
  }

  /** What a machine sends of a file, and the answer. */
  async function send(content: string, offset: number, file = FILE): Promise<unknown> {
    const bytes = new Uint8Array(Buffer.from(content).subarray(offset));
    const frame: BytesFrame = {
      ...{ kind: "bytes", ...file, owner_path: null, format: "pi", mode: 0o600 },
      ...{ modified_at: 1_772_359_200_000, offset, size: Buffer.byteLength(content) },
    };
    const answer = await fetch(`${proxy.url}/api/hub`, {
      method: "POST",
      headers: { "Content-Type": BATCH_TYPE, Authorization: `Bearer ${token}` },
      body: await pack(encodeBatch(MACHINE, [{ frame, bytes }])),
    });
    return answer.json();
  }

  it("take what machines send, tell of it, and go on when one of them ends", async () => {
    const seen: unknown[] = [];
    const events = client.events({ onEvent: ({ event, payload }) => event === "sessions-diff" && seen.push(payload) });
    await client.call("ping");
    expect(await send(SESSION, 0)).toMatchObject({
      success: true,
      data: { results: [{ bytes: Buffer.byteLength(SESSION) }] },
    });
    const path = hubPath(MACHINE.id, FILE.path);
    await expect.poll(() => seen, PATIENT).toMatchObject([{ added: [{ path, message_count: 1 }] }]);
    expect(await client.call("read_session_tree", { path })).toMatchObject([{ id: "a" }]);

    await send(OTHER_SESSION, 0, OTHER_FILE);
    await expect.poll(() => JSON.stringify(seen.at(-1)), PATIENT).toContain('"s2"');
    await goOnAtTheOther(path);

    await hubs[0].close();
    const grown = SESSION + message("b", "a", "And low water?");
    await expect
      .poll(() => send(grown, Buffer.byteLength(SESSION)).catch(() => null), PATIENT)
      .toMatchObject({ success: true });
    const count = async () => (await client.call("list_sessions", { query: "s1" })).sessions[0]?.message_count;
    await expect.poll(() => count().catch(() => null), PATIENT).toBe(2);
    await expect.poll(() => JSON.stringify(seen.at(-1)), PATIENT).toContain('"message_count":2');
    events.close();
  });
});
