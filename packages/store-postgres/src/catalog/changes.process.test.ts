import { setTimeout as delay } from "node:timers/promises";
import { gt } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { addChanges } from "./changes.ts";
import { TestHub } from "./hub.fixture.ts";
import { changes } from "./schema.ts";

const WRITERS = 6;
const TRANSACTIONS = 15;

describe.runIf(needsPostgres())("the changes of a user", () => {
  let server: PostgresServer;
  let hub: TestHub;

  beforeAll(async () => {
    server = await startPostgres();
    hub = await TestHub.open(await server.newDatabase());
  });
  afterAll(async () => {
    await hub.close();
    await server.close();
  });

  it("are read in the order of their numbers, of which none appears late", async () => {
    const total = WRITERS * TRANSACTIONS * 2;
    const write = async (writer: number) => {
      for (let n = 0; n < TRANSACTIONS; n++) {
        const path = `/machines/${writer}/${n}`;
        const changed = { kind: "changed" as const, key: n, path };
        await hub.database.write(hub.userId, async (db) => {
          await delay((writer * 7 + n * 3) % 5);
          await addChanges(db, [changed, changed]);
          // Others have begun meanwhile.
          await delay((writer * 5 + n) % 4);
        });
      }
    };
    const read: number[] = [];
    const reading = async () => {
      while (read.length < total) {
        const last = read.at(-1) ?? 0;
        const rows = await hub.database.read(hub.userId, (db) =>
          db
            .select({ sequence: changes.sequence })
            .from(changes)
            .where(gt(changes.sequence, last))
            .orderBy(changes.sequence),
        );
        read.push(...rows.map(({ sequence }) => sequence));
      }
    };
    await Promise.all([reading(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);
    expect(read).toEqual(Array.from({ length: total }, (_, place) => place + 1));
  });
});
