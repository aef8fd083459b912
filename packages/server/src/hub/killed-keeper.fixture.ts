import { createHash, randomInt, randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { ChunkObjects, moveChunks, openObjectStore, PostgresDatabase, Retention, SentFiles } from "@sm/store-postgres";

// Sends sessions to a hub with an object store, moves their bytes there and back and removes what is old, until it is
// killed. Writes down what the hub has said that it has.

const [url = "", directory = "", userId = "", acknowledged = ""] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const database = await PostgresDatabase.open({ url, log });
const objects = new ChunkObjects(database, openObjectStore({ kind: "directory", directory, removed_days: 0 }));
const machineId = randomUUID();
const signal = new AbortController().signal;

/** Few contents: chunks of files that go are those of others that stay. */
function contentOf(number: number): Buffer {
  return Buffer.concat(
    Array.from({ length: 25_000 }, (_, at) =>
      Buffer.from(createHash("sha256").update(`${number} ${at}`).digest("hex")),
    ),
  );
}

async function send(into: ChunkObjects | null): Promise<never> {
  const files = new SentFiles(database, userId, into);
  await files.machine(machineId, "laptop");
  for (;;) {
    const generation = randomUUID();
    const number = randomInt(3);
    const content = contentOf(number);
    const isLeaving = randomInt(2) === 0;
    const file = {
      machineId,
      path: `/${generation}`,
      ownerPath: null,
      format: "pi",
      sessionId: null,
      mode: 0o600,
      generation,
    };
    for (let offset = 0; offset < content.length; offset += 400_000) {
      await files.append(file, { offset, bytes: content.subarray(offset, offset + 400_000), size: content.length });
    }
    if (isLeaving) await leave(generation);
    else appendFileSync(acknowledged, `${generation} ${number}\n`);
  }
}

/** As if somebody had deleted it long ago, and it had left the catalog. */
async function leave(generation: string): Promise<void> {
  await database.write(userId, async (db) => {
    await db.execute(
      `DELETE FROM index_requests USING session_files f WHERE file_key = f.key AND f.path = '/${generation}'`,
    );
    await db.execute(`UPDATE session_files SET deleted_at = now() - interval '9 days' WHERE path = '/${generation}'`);
  });
}

async function move(): Promise<never> {
  for (;;) {
    await moveChunks("objects", { database, objects });
    await moveChunks("database", { database, objects });
  }
}

async function remove(): Promise<never> {
  const retention = new Retention(database);
  for (;;) {
    await retention.run(signal);
    await objects.collect(0);
  }
}

console.log("begun");
await Promise.all([send(objects), send(null), move(), remove()]);
