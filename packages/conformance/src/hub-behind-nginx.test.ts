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
const PATH = "/home/x/.pi/agent/sessions/a.jsonl";
const GENERATION = randomUUID();

const line = (value: object) => `${JSON.stringify(value)}\n`;
const message = (id: string, parentId: string | null, text: string) =>
  line({
    ...{ type: "message", id, parentId, timestamp: "2026-03-01T10:00:00.000Z" },
    message: { role: "user", content: [{ type: "text", text }] },
  });
const SESSION =
  line({ type: "session", version: 3, id: "s1", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/work/tides" }) +
  message("a", null, "When is high water?");

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

  /** What a machine sends of a file, and the answer. */
  async function send(content: string, offset: number): Promise<unknown> {
    const bytes = new Uint8Array(Buffer.from(content).subarray(offset));
    const frame: BytesFrame = {
      ...{ kind: "bytes", path: PATH, owner_path: null, format: "pi", session_id: "s1", mode: 0o600 },
      ...{ modified_at: 1_772_359_200_000, generation: GENERATION, offset, size: Buffer.byteLength(content) },
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
    const path = hubPath(MACHINE.id, PATH);
    await expect.poll(() => seen, PATIENT).toMatchObject([{ added: [{ path, message_count: 1 }] }]);
    expect(await client.call("read_session_tree", { path })).toMatchObject([{ id: "a" }]);

    await hubs[0].close();
    const grown = SESSION + message("b", "a", "And low water?");
    await expect
      .poll(() => send(grown, Buffer.byteLength(SESSION)).catch(() => null), PATIENT)
      .toMatchObject({ success: true });
    const count = async () => (await client.call("list_sessions", {})).sessions[0]?.message_count;
    await expect.poll(() => count().catch(() => null), PATIENT).toBe(2);
    await expect.poll(() => JSON.stringify(seen.at(-1)), PATIENT).toContain('"message_count":2');
    events.close();
  });
});
