import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  ChunkCheck,
  ChunkObjects,
  openObjectStore,
  PostgresDatabase,
  Retention,
  SentFiles,
  UserRetention,
  Users,
} from "@sm/store-postgres";
import { needsPostgres, startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { expect, it } from "vitest";
import { bundleScript } from "../script.fixture.ts";

const KEEPER = fileURLToPath(new URL("killed-keeper.fixture.ts", import.meta.url));
const KILLS = 3;
const log = { info: () => {}, warn: () => {}, error: () => {} };

it.runIf(needsPostgres())(
  "a server that is killed while it sends, moves and removes loses nothing and leaves nothing",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "killed-keeper-"));
    const directory = join(folder, "objects");
    mkdirSync(directory);
    const acknowledged = join(folder, "acknowledged");
    const postgres = await startPostgres();
    const url = await postgres.newDatabase();
    const database = await PostgresDatabase.open({ url, log });
    const kept = () => (existsSync(acknowledged) ? readFileSync(acknowledged, "utf8").split("\n").filter(Boolean) : []);
    let child: ChildProcess | null = null;
    try {
      const { id } = await new Users(database).create("ada", "member");
      await new UserRetention(database, id).set({ project: null, days: 7, include_marked: false });
      await bundleScript(KEEPER, join(folder, "keeper.mjs"));
      for (let kill = 0; kill < KILLS; kill++) {
        child = spawn(process.execPath, ["keeper.mjs", url, directory, id, acknowledged], {
          ...{ cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
        });
        const exit = once(child, "exit");
        if (child.stdout !== null) await once(child.stdout, "data");
        const before = kept().length;
        await expect.poll(() => kept().length, { timeout: 30_000, interval: 10 }).toBeGreaterThan(before);
        await delay(kill * 37);
        child.kill("SIGKILL");
        await exit;
      }
      const objects = new ChunkObjects(database, openObjectStore({ kind: "directory", directory, removed_days: 0 }));
      const check = new ChunkCheck(database, objects);
      expect(await check.ofUser(id)).toEqual({ lost: [], damaged: [], loose: [] });
      await new Retention(database).run(new AbortController().signal);
      await database.asService((db) => db.execute("UPDATE unnamed_objects SET since = since - interval '2 days'"));
      while ((await objects.collect(0)) > 0);
      expect(await check.ofUser(id)).toEqual({ lost: [], damaged: [], loose: [] });
      const count = async (what: string) => {
        const { rows } = await database.read(id, (db) => db.execute(`SELECT count(*)::int AS count FROM ${what}`));
        return rows[0]?.count;
      };
      expect(await count("unnamed_objects")).toBe(0);
      expect(await count("chunks c WHERE NOT EXISTS (SELECT 1 FROM pieces p WHERE p.hash = c.hash)")).toBe(0);

      const files = new SentFiles(database, id, objects);
      for (const line of kept()) {
        const [generation = "", number] = line.split(" ");
        const wanted = Buffer.concat(
          Array.from({ length: 25_000 }, (_, at) =>
            Buffer.from(createHash("sha256").update(`${number} ${at}`).digest("hex")),
          ),
        );
        expect((await files.read(generation, 0, wanted.length + 1)).equals(wanted)).toBe(true);
      }
    } finally {
      child?.kill("SIGKILL");
      await database.close();
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
