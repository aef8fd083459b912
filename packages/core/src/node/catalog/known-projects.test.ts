import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { type CatalogWrites, NO_SESSION, prepareWrites } from "./catalog-writes.ts";
import { CATALOG_SQL } from "./index-schema.ts";
import { KNOWN_PROJECTS_SQL, KnownProjects } from "./known-projects.ts";

const STAMP = { size: 1, mtime: 1, ctime: 1, inode: 1 };

let directory: string;
let client: SqliteDatabase;
let writes: CatalogWrites;
let files = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-projects-"));
  client = openDatabase(join(directory, "projects.db"), { durability: "none" });
  client.exec(CATALOG_SQL);
  writes = prepareWrites(client);
});
afterAll(() => {
  client.close();
  rmSync(directory, { recursive: true });
});

function put(project: string | null, modified_at: number, status = "session"): void {
  const path = `/sessions/${files++}.jsonl`;
  writes.insert.run({ ...NO_SESSION, ...STAMP, path, status, shard: 0, format: "pi", project, modified_at });
}

async function listed(): Promise<{ projects: string[]; turns: number }> {
  let turns = 0;
  const turn = async () => void turns++;
  return { projects: await new KnownProjects(client).list({ turn }), turns };
}

describe("known projects", () => {
  it("are those of sessions, the one with the newest session first", async () => {
    expect((await listed()).projects).toEqual([]);
    for (let time = 0; time < 40; time++) {
      put("/old", time);
      put("/new", 100 - time);
      put("/newer \u{1f600}", 200 + time);
      put(null, 300);
    }
    put("/skipped", 400, "skipped");
    put("/old", 500, "away");
    expect((await listed()).projects).toEqual(["/newer \u{1f600}", "/new", "/old"]);
  });

  it("are looked up in an index, one behind the other", () => {
    const plan = client.prepare<[string], { detail: string }>(`EXPLAIN QUERY PLAN ${KNOWN_PROJECTS_SQL}`).all("");
    const steps = plan.map(({ detail }) => detail).filter((detail) => / files\b/.test(detail));
    expect(steps).toHaveLength(3);
    for (const step of steps) expect(step).toMatch(/^SEARCH files USING COVERING INDEX files_by_project \(project/);
  });

  it("leave others their turn where there are very many", async () => {
    client.transaction(() => {
      for (let n = 0; n < 1_000; n++) put(`/many/${n}`, 1_000 + n);
    })();
    const { projects, turns } = await listed();
    expect(projects).toHaveLength(1_003);
    expect(projects.slice(0, 2)).toEqual(["/many/999", "/many/998"]);
    expect(turns).toBe(5);
  });
});
