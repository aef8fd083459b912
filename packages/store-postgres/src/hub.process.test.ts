import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PostgresDatabase } from "./database/database.ts";
import { SentFiles } from "./files/sent-files.ts";
import { Hub } from "./hub.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "./postgres-server.fixture.ts";
import { Users } from "./state/users.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };
const SESSION = Buffer.from(
  `${JSON.stringify({ type: "session", version: 3, id: "s1", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/code" })}\n`,
);

describe.runIf(needsPostgres())("a server of a hub", () => {
  let postgres: PostgresServer;
  let url: string;
  let database: PostgresDatabase;
  let hub: Hub;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  beforeEach(async () => {
    url = await postgres.newDatabase();
    database = await PostgresDatabase.open({ url, log });
    hub = await Hub.open({ url, log, mostWaiting: 8 });
    hub.listen(
      () => {},
      () => {},
    );
    return async () => {
      await hub.close();
      await database.close();
    };
  });

  afterAll(() => postgres.close());

  /** Asks on a connection of its own, which stays open until the end. */
  async function connected(): Promise<pg.Client & AsyncDisposable> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
  }

  async function send(machineId: string): Promise<void> {
    const [user] = await new Users(database).list();
    const { id } = user ?? (await new Users(database).create("ada", "member"));
    const files = new SentFiles(database, id);
    await files.machine(machineId, "laptop");
    const file = { machineId, path: "/a.jsonl", ownerPath: null, format: "pi", sessionId: "s1", mode: 0o600 };
    await files.append({ ...file, generation: randomUUID() }, { offset: 0, bytes: SESSION, size: SESSION.length });
  }

  it("says of each machine when it has sent, and for how long that waits", async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await send(one);
    await expect
      .poll(() => hub.figures(), { timeout: 10_000 })
      .toMatchObject({ hub_waiting_files: 0, hub_machines: 1 });
    // What is sent from now on cannot be brought into the catalog.
    await using locking = await connected();
    await locking.query("BEGIN; LOCK TABLE changes, outline_chunks IN ACCESS EXCLUSIVE MODE");
    await send(other);
    const figures = await hub.figures();
    expect(figures).toMatchObject({
      hub_machines: 2,
      hub_waiting_files: 1,
      hub_postponed_files: 0,
      hub_database_up: 1,
    });
    expect(figures.hub_waiting_seconds).toBeGreaterThan(0);
    expect(figures.hub_machine_waiting_files).toEqual(
      new Map([
        [one, 0],
        [other, 1],
      ]),
    );
    const seconds = figures.hub_machine_waiting_seconds as Map<string, number>;
    expect([seconds.get(one), seconds.get(other)]).toEqual([0, figures.hub_waiting_seconds]);
    await locking.query("ROLLBACK");
    await expect.poll(() => hub.figures(), { timeout: 10_000 }).toMatchObject({ hub_waiting_files: 0 });
  });

  it("says what it knows where the database does not answer, and that it does not", async () => {
    expect(hub.status()).toMatchObject({ state: "ready", reason: null });
    await postgres.kill();
    expect(await hub.figures()).toMatchObject({ hub_database_up: 0, hub_database_waiting: 0 });
    await postgres.start();
    await expect.poll(() => hub.figures(), { timeout: 10_000 }).toMatchObject({ hub_database_up: 1 });
  });

  it("refuses everything from when a newer one has changed the database too much for it", async () => {
    await using newer = await connected();
    const take = (worksWith: number) =>
      newer.query(`INSERT INTO schema_steps VALUES (${900 + worksWith}, ${worksWith}, now());
        SELECT pg_notify('session_manager_schema', '')`);
    await take(1);
    await hub.firstToken("laptop");
    expect(hub.status().state).toBe("ready");
    await take(99);
    await expect
      .poll(() => hub.status(), { timeout: 10_000 })
      .toMatchObject({ state: "degraded", reason: expect.stringMatching(/newer version of the program/) });
    await expect(hub.firstToken("laptop")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/update this one/),
    });
  });
});
