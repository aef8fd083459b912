import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresDatabase } from "../database/database.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { Users } from "../state/users.ts";
import { LineReader } from "./line-reader.ts";
import { SentFiles } from "./sent-files.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

describe.runIf(needsPostgres())("lines of sent files", () => {
  let server: PostgresServer;
  let database: PostgresDatabase;
  let files: SentFiles;
  const contents = new Map<number, Buffer>();

  beforeAll(async () => {
    server = await startPostgres();
    database = await PostgresDatabase.open({ url: await server.newDatabase(), log });
    files = new SentFiles(database, (await new Users(database).create("user", "member")).id);
    const machineId = randomUUID();
    await files.machine(machineId, "laptop");
    for (const [name, bytes] of [
      ["/short", 3_000],
      ["/long", 3_000_000],
    ] as const) {
      const content = Buffer.from(
        Array.from({ length: bytes / 10 }, (_, at) =>
          `line ${String((at * 7_919) % 10_007).padStart(4, "0")}\n`.slice(-10),
        ).join(""),
      );
      const generation = randomUUID();
      const file = { machineId, path: name, ownerPath: null, format: "pi", sessionId: null, mode: 0o600, generation };
      for (let offset = 0; offset < content.length; offset += 700_000) {
        await files.append(file, { offset, bytes: content.subarray(offset, offset + 700_000), size: content.length });
      }
      const { rows } = await database.read(files.userId, (db) =>
        db.execute<{ key: string }>(sql`SELECT key FROM generations WHERE id = ${generation}`),
      );
      contents.set(Number(rows[0]?.key), content);
    }
  });

  afterAll(async () => {
    await database.close();
    await server.close();
  });

  it("are what was sent, whatever lines are asked for, and whichever were before", async () => {
    const range = fc.constantFrom(...contents).chain(([content, { length: size }]) =>
      fc.record({
        content: fc.constant(content),
        offset: fc.nat(size + 10),
        length: fc.oneof(fc.nat(300), fc.nat(1_500_000)),
      }),
    );
    const reader = new LineReader();
    await fc.assert(
      fc.asyncProperty(fc.array(range, { maxLength: 8 }), async (ranges) => {
        const found = await database.read(files.userId, (db) => reader.read(files.userId, db, ranges));
        expect(found).toHaveLength(ranges.length);
        for (const [place, { content, offset, length }] of ranges.entries()) {
          const wanted = contents.get(content)?.subarray(offset, offset + length) ?? Buffer.alloc(0);
          expect(Buffer.compare(found[place] ?? Buffer.alloc(1), wanted)).toBe(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are found with one question, and with none where they were found before", async () => {
    const reader = new LineReader();
    const ranges = [...contents].flatMap(([content, { length }]) =>
      [0, 0.3, 0.31, 0.6].map((share) => ({ content, offset: Math.floor(share * length), length: 100 })),
    );
    const inChunks = ranges.filter(({ offset }) => offset > 0 && offset < 2_000_000 && offset > 3_000);
    const asked = async (wanted: typeof ranges) => {
      let questions = 0;
      await database.read(files.userId, (db) => {
        const execute: typeof db.execute = (query) => {
          questions++;
          return db.execute(query);
        };
        return reader.read(files.userId, { ...db, execute }, wanted);
      });
      return questions;
    };
    expect(await asked(ranges)).toBe(1);
    expect(await asked(inChunks)).toBe(0);
  });

  it("are nothing for another user", async () => {
    const other = await new Users(database).create("other", "member");
    const ranges = [...contents.keys()].map((content) => ({ content, offset: 0, length: 100 }));
    const reader = new LineReader();
    await database.read(files.userId, (db) => reader.read(files.userId, db, ranges));
    const found = await database.read(other.id, (db) => reader.read(other.id, db, ranges));
    expect(found.map(({ length }) => length)).toEqual([0, 0]);
  });

  it("are told to be lost where their bytes are damaged", async () => {
    const [[content] = [0]] = [...contents].filter(([, { length }]) => length > 1_000_000);
    await database.write(files.userId, (db) =>
      db.execute(sql`UPDATE chunks SET packed = substring(packed FROM 1 FOR 10) || '\\xffffffffffffff'::bytea`),
    );
    const reading = database.read(files.userId, (db) =>
      new LineReader().read(files.userId, db, [{ content, offset: 0, length: 100 }]),
    );
    await expect(reading).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
