import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@sm/router/client";
import { needsPostgres, type PostgresServer, startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call, type Run, testBinary, until } from "../binary.fixture.ts";
import { EXIT } from "../failure.ts";

const DIRECTORY = { kind: "directory" };
const BUCKET = { kind: "s3", bucket: "hub", endpoint: "http://127.0.0.1:2" };
const DAY_MS = 86_400_000;
const KEY = /^[0-9a-f-]{36}\/[0-9a-f]{2}\/[0-9a-f]{64}-[0-9a-f-]{36}$/;

describe.runIf(needsPostgres())("what a hub keeps", () => {
  const binary = testBinary("hub-keeping");
  let postgres: PostgresServer;
  let store: string;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    store = await postgres.newDatabase();
    await mkdir(configuration());
    await mkdir(objects());
  });
  afterAll(() => postgres.close());

  /** Of the hub; that of the machine is in its home. */
  const configuration = () => join(binary.folder, "hub");
  const objects = () => join(binary.folder, "objects");

  async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const { output, ended } = binary.run(args, env);
    const { code } = await ended;
    return { code, ...output };
  }
  const hub = (...args: string[]) => run(["hub", ...args, "--store", store, "--config-dir", configuration()]);

  const configureStore = (chunkStore: object = { kind: "directory", directory: objects() }) =>
    writeFile(join(configuration(), "session-manager.json"), JSON.stringify({ chunk_store: chunkStore }));

  async function serve() {
    const server = binary.run(["serve", "--store", store, "--port", "0", "--config-dir", configuration()]);
    const url = await until(() => /^Session Manager is a hub on (http:\S+)\n/.exec(server.output.stdout)?.[1]);
    return { server, url };
  }

  async function end({ child, ended }: Run): Promise<void> {
    child.kill("SIGKILL");
    await ended;
  }

  /** Starts the first server of the hub, to which the service of a machine sends a session of so many bytes. */
  async function received({ bytes = 0, daysAgo = 0 } = {}) {
    const { server, url } = await serve();
    const token = (await until(() => /^ {2}(sm_\S+)$/m.exec(server.output.stderr)?.[1])) ?? "";
    const content = session(bytes, Date.now() - daysAgo * DAY_MS);
    const folder = join(binary.folder, ".pi", "agent", "sessions");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "tides.jsonl"), content);
    const tokenFile = join(binary.folder, "hub-token");
    await writeFile(tokenFile, token);
    await run(["hub", "join", url, "--token-file", tokenFile]);
    const machine = await binary.serve();
    await until(async () => {
      const { state, files } = await call<{ state: string; files: number }>(machine.url, "get_hub_status");
      return (state === "sent" && files === 1) || undefined;
    });
    await end(machine);
    const client = createClient({ url, token });
    const path = await until(async () => (await client.call("list_sessions", {})).sessions[0]?.path);
    return { url, token, content, path, client };
  }

  const places = async () => {
    const [row] = await postgres.query<{ objects: number; rows: number; bytes: number }>(
      store,
      "SELECT count(object)::int AS objects, count(packed)::int AS rows, sum(packed_bytes)::int AS bytes FROM chunks",
    );
    return row;
  };

  /** Keys of all objects, with their sizes. */
  async function stored(): Promise<Map<string, number>> {
    const keys = (await readdir(objects(), { recursive: true })).filter((name) => KEY.test(name));
    return new Map(await Promise.all(keys.map(async (key) => [key, (await stat(join(objects(), key))).size] as const)));
  }

  /** Of the object with the first bytes: what is lost behind them cuts off an answer that has begun. */
  async function firstKey(): Promise<string> {
    const [first] = await postgres.query<{ object: string }>(
      store,
      "SELECT object FROM chunks JOIN pieces USING (user_id, hash) WHERE start = 0",
    );
    return [...(await stored()).keys()].find((key) => key.endsWith(first?.object ?? "")) ?? "";
  }

  it("moves into the object store and back, but for what is not there, while a server runs", async () => {
    const { url: unconfigured, token, content, path } = await received({ bytes: 3_000_000 });
    const before = await places();
    expect(before).toMatchObject({ objects: 0, bytes: null });
    expect(before?.rows).toBeGreaterThan(2);
    await configureStore();
    const { url } = await serve();
    const client = createClient({ url, token });
    const read = () => client.call("read_session_file", { path });

    const moved = /^Moved (\d+) chunks, [\d.]+ MB\n$/;
    const out = await hub("move-chunks");
    expect(out).toMatchObject({ code: EXIT.ok, stdout: expect.stringMatching(moved) });
    expect(out.stderr).toBe(out.stdout.replace("Moved ", ""));
    expect(Number(moved.exec(out.stdout)?.[1])).toBe(before?.rows);
    const keys = await stored();
    const bytes = [...keys.values()].reduce((sum, size) => sum + size, 0);
    expect(keys.size).toBe(before?.rows);
    expect(await places()).toEqual({ objects: keys.size, rows: 0, bytes });
    expect((await read()) === content).toBe(true);
    // A server that was not configured for it says so.
    const toldStore = { code: "UNAVAILABLE", message: expect.stringContaining('configure it as "chunk_store"') };
    const other = createClient({ url: unconfigured, token });
    await expect(other.call("read_session_file", { path })).rejects.toMatchObject(toldStore);
    for (const format of ["html", "jsonl"]) {
      const place = ["--server", unconfigured, "--token", token, "--output", "-"];
      const exported = await run(["export", path, "--format", format, ...place]);
      const refused = {
        code: EXIT.unavailable,
        stdout: "",
        stderr: expect.stringMatching(/^UNAVAILABLE: .*chunk_store/),
      };
      expect(exported, format).toEqual(refused);
    }
    expect(await hub("move-chunks")).toEqual({ code: EXIT.ok, stdout: "Moved 0 chunks, 0 B\n", stderr: "" });

    const [lost = "", cut = ""] = keys.keys();
    const wholes = await Promise.all(
      [lost, cut].map(async (key) => [key, await readFile(join(objects(), key))] as const),
    );
    await rm(join(objects(), lost));
    await truncate(join(objects(), cut), 100);
    const left = [`Lost: ${lost}\n`, `Damaged: ${cut}\n`].join("");
    const some = await hub("move-chunks", "--to", "database", "--quiet");
    const others = keys.size - 2;
    const told = new RegExp(`^Moved ${others} chunks?, [\\d.]+ [kM]B; 2 could not be moved\\n$`);
    expect(some).toEqual({ code: EXIT.failure, stdout: expect.stringMatching(told), stderr: left });
    const none = await hub("move-chunks", "--to", "database", "--json", "--quiet");
    expect(none).toMatchObject({ code: EXIT.failure, stderr: left });
    expect(JSON.parse(none.stdout)).toEqual({ chunks: 0, bytes: 0, lost: [lost], damaged: [cut] });
    expect(await places()).toMatchObject({ objects: 2, rows: others });

    for (const [key, whole] of wholes) await writeFile(join(objects(), key), whole);
    const back = await hub("move-chunks", "--to", "database", "--json", "--quiet");
    expect(back).toMatchObject({ code: EXIT.ok, stderr: "" });
    const sizes = wholes.reduce((sum, [, whole]) => sum + whole.length, 0);
    expect(JSON.parse(back.stdout)).toEqual({ chunks: 2, bytes: sizes, lost: [], damaged: [] });
    expect(await places()).toEqual(before);
    expect((await read()) === content).toBe(true);
    // They stay for `removed_days`, for an older copy of the database.
    expect(await stored()).toEqual(keys);
  });

  it("is compared with the object store, which may lack objects, or have more or damaged ones", async () => {
    await configureStore();
    const { path, client, content } = await received({ bytes: 3_000_000 });
    const compared = async (args: string[] = []) => {
      const { code, stdout, stderr } = await hub("check-chunks", ...args);
      return [code, stdout, stderr];
    };
    const fine = [EXIT.ok, "0 objects are lost, 0 are damaged; 0 are not known.\n", ""];
    const key = await firstKey();
    const others = [...(await stored()).keys()].filter((other) => other !== key);
    expect(others).not.toEqual([]);
    expect(await compared()).toEqual(fine);

    const unknown = key.slice(0, -36) + randomUUID();
    await rename(join(objects(), key), join(objects(), unknown));
    const oneLost = [EXIT.failure, "1 object is lost, 0 are damaged; 1 is not known.\n", `Lost: ${key}\n`];
    expect(await compared()).toEqual(oneLost);
    const [code, json = ""] = await compared(["--json"]);
    expect(code).toBe(EXIT.failure);
    expect(JSON.parse(String(json))).toEqual({ lost: [key], damaged: [], loose: 1 });
    await expect(client.call("read_session_file", { path })).rejects.toMatchObject({ code: "UNAVAILABLE" });

    const adopted = () => postgres.query(store, "SELECT object, was_named FROM unnamed_objects");
    expect(await adopted()).toEqual([]);
    expect(await compared(["--collect"])).toEqual(oneLost);
    expect(await adopted()).toEqual([{ object: unknown.slice(-36), was_named: true }]);
    await rename(join(objects(), unknown), join(objects(), key));
    expect(await compared()).toEqual(fine);
    const [cut = ""] = others;
    const whole = await readFile(join(objects(), cut));
    await truncate(join(objects(), cut), whole.length - 1);
    const oneDamaged = "0 objects are lost, 1 is damaged; 0 are not known.\n";
    expect(await compared()).toEqual([EXIT.failure, oneDamaged, `Damaged: ${cut}\n`]);
    await writeFile(join(objects(), cut), whole);
    expect(await compared()).toEqual(fine);
    expect((await client.call("read_session_file", { path })) === content).toBe(true);

    // Where a disk is not mounted nothing is lost.
    await rename(objects(), `${objects()}-away`);
    const away = [
      EXIT.unavailable,
      "",
      expect.stringMatching(notAnswering("/.+/objects is not the store of this hub: .+")),
    ];
    expect(await compared()).toEqual(away);
    await mkdir(objects());
    expect(await compared()).toEqual(away);
    expect(await hub("move-chunks", "--to", "database")).toMatchObject({ code: EXIT.unavailable, stdout: "" });
    expect(await places()).toMatchObject({ objects: others.length + 1, rows: 0 });
    await rm(objects(), { recursive: true });
  });

  it("stays for as many days as is said, unless its user says otherwise", async () => {
    const { path, client } = await received({ daysAgo: 100 });
    const due = async () =>
      (await client.call("preview_retention", { rule: null })).first.map((session) => session.path);
    const forEver = "Sessions are kept for ever.\n";
    const steps: [args: string[], told: string, days: number | null, due: string[]][] = [
      [[], forEver, null, []],
      [["--days", "99"], "Sessions are kept for 99 days.\n", 99, [path]],
      [[], "Sessions are kept for 99 days.\n", 99, [path]],
      [["--days", "36500", "--json"], '{\n  "days": 36500\n}\n', 36_500, []],
      [["--forever"], forEver, null, []],
      [["--json"], '{\n  "days": null\n}\n', null, []],
    ];
    for (const [args, told, days, removed] of steps) {
      expect(await hub("retention", ...args), args.join(" ")).toEqual({ code: EXIT.ok, stdout: told, stderr: "" });
      expect(await client.call("list_retention", {})).toEqual({ rules: [], default_days: days });
      expect(await due()).toEqual(removed);
    }
    await client.call("set_retention", { project: null, days: null });
    const set = await run(["hub", "retention", "--days", "7"], { SESSION_MANAGER_STORE: store });
    expect(set).toEqual({ code: EXIT.ok, stdout: "Sessions are kept for 7 days.\n", stderr: "" });
    expect(await due()).toEqual([]);
  });

  it.each(["move-chunks", "check-chunks"])("names the file where no store is configured: hub %s", async (command) => {
    const told = /^CONFLICT: No object store .* "chunk_store" in \/.+\/hub\/session-manager\.json\.\n$/;
    expect(await hub(command)).toEqual({ code: EXIT.refused, stdout: "", stderr: expect.stringMatching(told) });
  });

  it.each<[what: string, chunkStore: () => object, cause: string]>([
    ["not mounted", () => ({ ...DIRECTORY, directory: join(objects(), "away") }), "ENOENT: .+, open '/.+/away/.+'"],
    [
      "of another hub",
      () => ({ ...DIRECTORY, directory: objects() }),
      '/.+ is not the store of this hub: its "hub" is .+',
    ],
    ["not running", () => BUCKET, "connect ECONNREFUSED 127\\.0\\.0\\.1:2"],
    ["without its keys", () => ({ ...BUCKET, credentials_file: "/nowhere/keys" }), "ENOENT: .+ '/nowhere/keys'"],
  ])("says why the store cannot be used: %s", async (_what, chunkStore, cause) => {
    await configureStore(chunkStore());
    await writeFile(join(objects(), "hub"), randomUUID());
    const keys = { AWS_ACCESS_KEY_ID: "hub", AWS_SECRET_ACCESS_KEY: "secret" };
    const place = ["--store", store, "--config-dir", configuration()];
    const runs = await Promise.all(["move-chunks", "check-chunks"].map((name) => run(["hub", name, ...place], keys)));
    const refused = { code: EXIT.unavailable, stdout: "", stderr: expect.stringMatching(notAnswering(cause)) };
    expect(runs).toEqual([refused, refused]);
  });

  it.each<[what: string, wrong: (url: string) => string, message: RegExp]>([
    ["no such database", (url) => url.replace(/@\/\w+/, "@/nothing"), /"nothing" does not exist/],
    ["no server", (url) => url.replace(/host=.*/, "host=/nowhere"), /database does not answer/],
    ["an administrator's", (url) => url.replace(/\w+@/, "admin@"), /sees the rows of every user/],
  ])("says of a database what is wrong: %s", async (_what, wrong, message) => {
    await configureStore();
    const commands = ["move-chunks", "check-chunks", "retention"];
    const place = ["--store", wrong(store), "--config-dir", configuration()];
    const runs = await Promise.all(commands.map((name) => run(["hub", name, ...place])));
    const refused = { code: EXIT.unavailable, stdout: "", stderr: expect.stringMatching(message) };
    expect(runs).toEqual(commands.map(() => refused));
    expect(await readdir(objects())).toEqual([]);
  });
});

/** What clients are told of a store, with what only whoever runs the hub is told. */
function notAnswering(cause: string): RegExp {
  return new RegExp(`^UNAVAILABLE: .*store of session bytes does not answer.*\\nCause: ${cause}\\n$`);
}

/** A session with so many bytes that can hardly be packed, so that a hub makes chunks of them. */
function session(bytes: number, at: number): string {
  const timestamp = new Date(at).toISOString();
  const lines: object[] = [{ type: "session", version: 3, id: randomUUID(), timestamp, cwd: "/home/ada/tides" }];
  for (let length = 0; length <= bytes; length += 100_000) {
    const id = `m${lines.length}`;
    const parentId = lines.length === 1 ? null : `m${lines.length - 1}`;
    const content = [{ type: "text", text: `High water ${bytes === 0 ? "" : noise(id)}` }];
    lines.push({ type: "message", id, parentId, timestamp, message: { role: "user", content } });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function noise(seed: string): string {
  const hashes = Array.from({ length: 3_125 }, (_, at) => createHash("sha256").update(`${seed} ${at}`).digest());
  return Buffer.concat(hashes).toString("base64").slice(0, 100_000);
}
