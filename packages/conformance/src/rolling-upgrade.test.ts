import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "@sm/router/client";
import { needsPostgres, type PostgresServer, startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Nginx, startHubNginx } from "./nginx.ts";
import { findSystemProgram } from "./system-program.ts";

/** The binaries of two versions: `npm run test:upgrade` builds them. */
const { SESSION_MANAGER_OLD_BINARY: OLD = "", SESSION_MANAGER_BUILT_BINARY: NEW = "" } = process.env;
const nginx = findSystemProgram("nginx");

const SESSIONS = 4;
const WRITE_MS = 40;
const SIDE_BY_SIDE_MS = 8_000;
const AT = "2026-03-01T10:00:00.000Z";
const LISTENS = /^Session Manager is (?:listening|a hub) on (http:\S+)/m;
const PATIENT = { timeout: 60_000, interval: 200 };

const line = (value: object) => `${JSON.stringify(value)}\n`;

/** A program of one version, on the same port and with the same files each time. */
class Program {
  url = "";
  errors = "";
  readonly #folder: string;
  readonly #args: readonly string[];
  #child: ChildProcess | null = null;

  constructor(folder: string, args: readonly string[]) {
    this.#folder = folder;
    this.#args = args;
    mkdirSync(folder, { recursive: true });
  }

  async start(binary: string): Promise<void> {
    const port = this.url === "" ? "0" : new URL(this.url).port;
    const folders = ["config", "data"].flatMap((name) => [`--${name}-dir`, join(this.#folder, name)]);
    const child = spawn(process.execPath, [binary, ...this.#args, ...folders, "--port", port, "--log-level", "warn"], {
      env: { PATH: process.env.PATH, HOME: this.#folder, TMPDIR: tmpdir() },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    child.stderr.on("data", (bytes) => (this.errors += bytes));
    let said = "";
    child.stdout.on("data", (bytes) => (said += bytes));
    while (child.exitCode === null && !LISTENS.test(said)) await delay(20);
    const url = LISTENS.exec(said)?.[1];
    if (url === undefined) throw new Error(`It did not start: ${this.errors}`);
    this.url = url;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }

  async become(binary: string): Promise<void> {
    await this.stop();
    await this.start(binary);
  }
}

describe.runIf(OLD !== "" && nginx !== null && needsPostgres())("servers that are replaced one after the other", () => {
  let postgres: PostgresServer;
  let folder: string;
  let store: string;
  let servers: [Program, Program];
  let machine: Program;
  let proxy: Nginx;
  let client: Client;
  let token: string;
  const paths: string[] = [];
  const written = new Map<string, number>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rolling-upgrade-"));
    postgres = await startPostgres();
    store = await postgres.newDatabase();
    servers = ["one", "other"].map((name) => new Program(join(folder, name), ["serve", "--store", store])) as never;
    for (const server of servers) await server.start(OLD);
    token = /sm_\S+/.exec(servers[0].errors)?.[0] ?? "";
    proxy = await startHubNginx(nginx ?? "", [servers[0].url, servers[1].url]);
    client = createClient({ url: proxy.url, token });

    const sessions = join(folder, "machine", ".pi", "agent", "sessions", "p");
    mkdirSync(sessions, { recursive: true });
    for (let number = 0; number < SESSIONS; number++) {
      const path = join(sessions, `${number}.jsonl`);
      writeFileSync(path, line({ type: "session", version: 3, id: `s${number}`, timestamp: AT, cwd: "/code" }));
      paths.push(path);
      written.set(path, 0);
    }
    machine = new Program(join(folder, "machine"), []);
    const config = join(folder, "machine", "config");
    mkdirSync(config);
    writeFileSync(join(folder, "token"), token, { mode: 0o600 });
    const hub = { url: proxy.url, token_file: join(folder, "token") };
    writeFileSync(join(config, "session-manager.json"), JSON.stringify({ hub }));
    await machine.start(OLD);
  });

  afterAll(async () => {
    await machine?.stop();
    for (const server of servers ?? []) await server.stop();
    await proxy?.[Symbol.asyncDispose]();
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("refuse nothing and lose nothing, in both directions", async () => {
    const ending = new AbortController();
    const refused: string[] = [];
    const heard = new Set<string>();
    let [asked, events] = [0, 0];

    async function write(): Promise<void> {
      for (let number = 0; !ending.signal.aborted; number++) {
        const path = paths[number % SESSIONS] ?? "";
        const count = (written.get(path) ?? 0) + 1;
        const text = `mark${number % SESSIONS}x${count} sighted`;
        const message = { role: "user", content: [{ type: "text", text }] };
        appendFileSync(path, line({ type: "message", id: `m${count}`, parentId: null, timestamp: AT, message }));
        written.set(path, count);
        await delay(WRITE_MS);
      }
    }

    async function ask(): Promise<void> {
      while (!ending.signal.aborted) {
        for (const [command, payload] of [
          ["search", { query: "sighted", limit: 5 }],
          ["list_sessions", {}],
        ] as const) {
          asked++;
          await client.call(command, payload).catch((error: Error) => refused.push(`${command}: ${error.message}`));
        }
        await delay(50);
      }
    }

    const follower = client.events({
      onEvent: ({ event, payload }) => {
        events++;
        if (event === "session-changed") for (const path of payload.changed_paths) heard.add(path);
      },
    });
    const working = Promise.all([write(), ask()]);
    const [one, other] = servers;
    const steps: [string, () => Promise<void>][] = [
      ["one is new, and takes the steps of the schema", () => one.become(NEW)],
      ["the machine is new, too", () => machine.become(NEW)],
      ["both are new", () => other.become(NEW)],
      ["one is old again", () => one.become(OLD)],
      ["and the machine", () => machine.become(OLD)],
      ["both are new", () => one.become(NEW)],
    ];
    for (const [what, step] of steps) {
      await delay(SIDE_BY_SIDE_MS);
      await step();
      console.info(`${what}: ${asked} questions, ${events} events, ${refused.length} refused`);
    }
    await delay(SIDE_BY_SIDE_MS);
    ending.abort();
    await working;

    // What was written arrives and is found, once.
    const { sessions } = await client.call("list_sessions", {});
    expect(sessions).toHaveLength(SESSIONS);
    for (const path of paths) {
      const there = sessions.find((session) => session.path.endsWith(path))?.path ?? "";
      await expect
        .poll(
          async () => (await client.call("read_session_file", { path: there })) === readFileSync(path, "utf8"),
          PATIENT,
        )
        .toBe(true);
      expect([...heard]).toContain(there);
    }
    const all = [...written.values()].reduce((sum, count) => sum + count, 0);
    const found = async () => (await client.call("search", { query: "sighted", limit: 1 })).total;
    await expect.poll(found, PATIENT).toBe(all);
    for (const number of paths.keys()) {
      const last = written.get(paths[number] ?? "") ?? 0;
      for (const mark of [1, Math.ceil(last / 2), last]) {
        expect((await client.call("search", { query: `mark${number}x${mark}` })).total, `${number} ${mark}`).toBe(1);
      }
    }
    follower.close();
    console.info(
      `${all} lines, ${asked} questions, ${events} events, refused: ${JSON.stringify([...new Set(refused)])}`,
    );
    expect(refused).toEqual([]);
  }, 300_000);

  it("says which is too old", async () => {
    const [one] = servers;
    await one.stop();
    await postgres.query(
      store,
      "UPDATE schema_steps SET works_with = version WHERE version = (SELECT max(version) FROM schema_steps)",
    );
    await expect(one.start(OLD)).rejects.toThrow(/newer version of the program; update this one/);
    expect((await client.call("list_sessions", {})).sessions).toHaveLength(SESSIONS);
    await one.start(NEW);
  });
});
