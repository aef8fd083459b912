import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PostgresDatabase } from "../database/database.ts";
import { ChunkCheck, type LooseEnds } from "../objects/chunk-check.ts";
import { ChunkObjects } from "../objects/chunk-objects.ts";
import { DirectoryStore } from "../objects/directory-store.ts";
import { startS3 } from "../objects/s3-server.fixture.ts";
import { S3Store } from "../objects/s3-store.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { Users } from "../state/users.ts";
import { type MissingBytes, type SentFile, SentFiles } from "./sent-files.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };
const PATH = "/home/somebody/.pi/agent/sessions/a.jsonl";

const STORES = ["the database", "a directory", "a bucket"] as const;

describe.runIf(needsPostgres()).each(STORES)("sent files whose chunks are in %s", (place) => {
  let server: PostgresServer;
  let database: PostgresDatabase;
  let files: SentFiles;
  let machineId: string;
  let objects: ChunkObjects | null = null;
  let close = async () => {};

  const filesOf = (userId: string) => new SentFiles(database, userId, objects);
  const newUser = async () => (await new Users(database).create(randomUUID(), "member")).id;

  beforeAll(async () => {
    server = await startPostgres();
    database = await PostgresDatabase.open({ url: await server.newDatabase(), log });
    if (place === "the database") return;
    const opened = await openStore(place);
    close = opened.close;
    objects = new ChunkObjects(database, opened.store);
  });

  beforeEach(async () => {
    files = filesOf(await newUser());
    machineId = randomUUID();
    await files.machine(machineId, "laptop");
  });

  afterAll(async () => {
    await database.close();
    await server.close();
    await close();
  });

  const fileOf = (generation: string, path = PATH): SentFile => ({
    machineId,
    path,
    ownerPath: null,
    format: "pi",
    sessionId: "a",
    mode: 0o600,
    generation,
  });

  /** Sends a part of a file that has no more than this yet. */
  const send = (file: SentFile, content: Buffer, from: number, to: number, size = to) =>
    files.append(file, { offset: from, bytes: content.subarray(from, to), size });

  async function looseEnds(): Promise<LooseEnds> {
    if (objects === null) return { lost: [], damaged: [], loose: [] };
    return new ChunkCheck(database, objects).ofUser(files.userId);
  }

  it("are read as they were sent, line by line and by megabytes", async () => {
    const content = linesOf(1, 5_000_100);
    const file = fileOf(randomUUID());
    let sent = 0;
    for (const end of [1_000, 1_000, 1_500, 200_000, 3_000_000, 3_000_010, 5_000_000]) {
      expect(await send(file, content, sent, Math.max(sent, end))).toBe(Math.max(sent, end));
      sent = Math.max(sent, end);
    }
    for (let line = 0; line < 100; line++) await send(file, content, sent, ++sent);
    const size = sent;
    expect(await files.current(machineId, PATH)).toEqual({ generation: file.generation, bytes: size });
    expect((await files.read(file.generation, 0, size + 1)).equals(content.subarray(0, size))).toBe(true);
    expect((await files.read(file.generation, 2_999_990, 30)).equals(content.subarray(2_999_990, 3_000_020))).toBe(
      true,
    );
  });

  it("may be sent twice, and not with a gap", async () => {
    const content = linesOf(2, 10_000);
    const file = fileOf(randomUUID());
    await send(file, content, 0, 5_000);
    expect(await send(file, content, 0, 5_000)).toBe(5_000);
    expect(await send(file, content, 2_000, 7_000)).toBe(7_000);
    await expect(send(file, content, 7_001, 8_000)).rejects.toMatchObject({
      code: "CONFLICT",
      bytes: 7_000,
    });
    expect((await files.known([file.generation, randomUUID()])).get(file.generation)).toBe(7_000);
    expect((await files.read(file.generation, 0, 8_000)).equals(content.subarray(0, 7_000))).toBe(true);
  });

  it("that were rewritten are read as before until the new state is all there", async () => {
    const [before, after] = [linesOf(3, 3_000), linesOf(4, 2_000)];
    const [first, second] = [fileOf(randomUUID()), fileOf(randomUUID())];
    expect(await files.current(machineId, PATH)).toBeNull();
    await send(first, before, 0, 3_000);
    await send(second, after, 0, 1_000, 2_000);
    expect(await files.current(machineId, PATH)).toEqual({ generation: first.generation, bytes: 3_000 });
    await send(second, after, 1_000, 2_000);
    expect(await files.current(machineId, PATH)).toEqual({ generation: second.generation, bytes: 2_000 });
    expect((await files.read(first.generation, 0, 3_000)).equals(before)).toBe(true);
    await expect(send(fileOf(first.generation, "/elsewhere.jsonl"), before, 0, 10)).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  it("with equal parts keep them once, for one user and not for two", async () => {
    const content = linesOf(5, 4_000_000);
    const bytesKept = async () => {
      const { rows } = await database.read(files.userId, (db) =>
        db.execute("SELECT sum(size)::int AS sum FROM chunks"),
      );
      return rows[0]?.sum;
    };
    await send(fileOf(randomUUID()), content, 0, content.length);
    const once = await bytesKept();
    expect(once).toBeGreaterThan(2_500_000);
    await send(fileOf(randomUUID(), "/copy.jsonl"), content, 0, content.length);
    expect(await bytesKept()).toBe(once);
    files = filesOf(await newUser());
    await files.machine(machineId, "of somebody else");
    expect(await files.current(machineId, PATH)).toBeNull();
    await send(fileOf(randomUUID()), content, 0, content.length);
    expect(await bytesKept()).toBe(once);
  });

  it("that two senders send at once are there once", async () => {
    const content = linesOf(6, 400_000);
    const file = fileOf(randomUUID());
    const inSteps = async (step: number) => {
      for (let from = 0; from < content.length; ) {
        const to = Math.min(content.length, from + step);
        from = await send(file, content, from, to, content.length).catch((error: MissingBytes) => error.bytes);
      }
    };
    await Promise.all([inSteps(7_000), inSteps(11_000), inSteps(50_000)]);
    expect((await files.read(file.generation, 0, content.length + 1)).equals(content)).toBe(true);
  });

  it("are what was sent, whatever is sent in which pieces", async () => {
    const step = fc.record({
      path: fc.constantFrom("/a", "/b"),
      bytes: fc.oneof(fc.nat({ max: 2_000 }), fc.nat({ max: 700_000 })),
      back: fc.nat({ max: 5_000 }),
      isRewritten: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        files = filesOf(await newUser());
        await files.machine(machineId, "laptop");
        const states = new Map<string, { generation: string; content: Buffer }>();
        let seed = 100;
        for (const { path, bytes, back, isRewritten } of steps) {
          const known = isRewritten ? undefined : states.get(path);
          const { generation, content } = known ?? { generation: randomUUID(), content: Buffer.alloc(0) };
          const grown = Buffer.concat([content, linesOf(++seed, bytes)]);
          await send(fileOf(generation, path), grown, Math.max(0, content.length - back), grown.length);
          states.set(path, { generation, content: grown });
        }
        for (const [path, { generation, content }] of states) {
          expect(await files.current(machineId, path)).toEqual({ generation, bytes: content.length });
          expect((await files.read(generation, 0, content.length + 1)).equals(content)).toBe(true);
        }
      }),
      { numRuns: objects === null ? 15 : 5 },
    );
  });

  it("are there after the database was killed, as far as it was acknowledged", async () => {
    const content = linesOf(7, 3_000_000);
    const file = fileOf(randomUUID());
    let acknowledged = 0;
    const sending = (async () => {
      for (let from = 0; from < content.length; ) {
        from = await send(file, content, from, Math.min(content.length, from + 20_000), content.length);
        acknowledged = from;
      }
    })().catch(() => undefined);
    await expect.poll(() => acknowledged, { interval: 1, timeout: 30_000 }).toBeGreaterThan(600_000);
    await server.kill();
    await sending;
    await server.start();
    expect(await looseEnds()).toEqual({ lost: [], damaged: [], loose: [] });
    const there = (await files.known([file.generation])).get(file.generation) ?? 0;
    expect(there).toBeGreaterThanOrEqual(acknowledged);
    for (let from = there; from < content.length; ) {
      from = await send(file, content, from, Math.min(content.length, from + 500_000), content.length);
    }
    expect((await files.read(file.generation, 0, content.length)).equals(content)).toBe(true);
  });
});

async function openStore(place: "a directory" | "a bucket") {
  if (place === "a directory") {
    const directory = mkdtempSync(join(tmpdir(), "chunks-"));
    return { store: new DirectoryStore(directory), close: async () => rmSync(directory, { recursive: true }) };
  }
  const s3 = await startS3();
  return { store: new S3Store({ ...s3.options, prefix: `${randomUUID()}/` }), close: s3.close };
}

/** Lines like those of a transcript; equal for equal seeds. */
function linesOf(seed: number, bytes: number): Buffer {
  let state = (Math.imul(seed + 1, 2_654_435_761) + 1) >>> 0;
  const words: string[] = [];
  for (let length = 0; length < bytes; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const word = (state >>> 8) % 40 === 0 ? `"}\n{"text":"${state}` : ` word${(state >>> 8) % 5_000}`;
    words.push(word);
    length += word.length;
  }
  return Buffer.from(words.join("")).subarray(0, bytes);
}
