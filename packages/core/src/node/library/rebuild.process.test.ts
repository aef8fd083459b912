import { existsSync, readdirSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { dumpIndex } from "../catalog/index-dump.fixture.ts";
import { checksumOf, STORED_SQL, type StoredSession } from "../catalog/stored-session.ts";
import { openDatabase } from "../storage/sqlite.ts";
import { EXPORT, LIST, SessionText, scanAll, searchFor, TestHome, until, untilIndexed } from "./library.fixture.ts";
import { LibraryChildren } from "./library-child.fixture.ts";
import { Listener } from "./library-events.fixture.ts";

const SESSIONS = 30;

async function indexedHome(): Promise<TestHome> {
  const home = await TestHome.create();
  for (let n = 0; n < SESSIONS; n++) {
    const session = new SessionText().user(`dugong ${n}`).assistant("lorem ipsum ".repeat(1000));
    await home.write(`p/${n}.jsonl`, session.lines);
  }
  const library = await home.open();
  await untilIndexed(library);
  await home.close(library);
  return home;
}

/** Makes an index one of an older content, with names that sessions had there. */
function age(folder: string): void {
  const catalog = openDatabase(join(folder, "index.db"), { durability: "normal" });
  catalog.pragma(`user_version = ${Number(catalog.pragma("user_version", { simple: true })) - 16}`);
  const rows = catalog.prepare<[], StoredSession>(STORED_SQL);
  const rename = catalog.prepare("UPDATE summaries SET summary = ?, checksum = ? WHERE key = ?");
  for (const row of rows.all()) {
    const summary = JSON.stringify(["old title", ...JSON.parse(row.summary).slice(1)]);
    rename.run(summary, checksumOf({ ...row, summary }), row.key);
  }
  catalog.close();
}

const databases = (folder: string) =>
  readdirSync(folder).filter((name) => name.startsWith("index") && name.endsWith(".db"));

describe("an index of an older content", () => {
  it("answers while a new one is built, and is replaced by it", async () => {
    await using home = await indexedHome();
    const successor = join(home.data, "index-successor");
    for (const [old, next] of [
      [home.data, successor],
      [successor, home.data],
    ] as const) {
      age(old);
      const listener = new Listener();
      const library = await home.open({ onEvent: listener.onEvent });
      const { sessions, total } = await library.list({ ...LIST, limit: 100 });
      expect(total).toBe(SESSIONS);
      expect(new Set(sessions.map((record) => record.title))).toEqual(new Set(["old title"]));
      expect(sessions.every((record) => record.indexed)).toBe(true);
      listener.start(sessions);
      expect(await library.search(searchFor("dugong"))).toMatchObject({ total: SESSIONS });

      await untilIndexed(library);
      expect(library.status()).toMatchObject({ state: "ready", sessions: SESSIONS, pending: 0 });
      expect(await library.search(searchFor("dugong"))).toMatchObject({ total: SESSIONS, indexing: { pending: 0 } });
      const titles = new Set((await scanAll(library)).map((record) => record.title));
      expect(titles.size).toBe(SESSIONS);
      expect(new Set(listener.list.map((record) => record.title))).toEqual(titles);
      await home.append(join(home.sessions, "p/0.jsonl"), new SessionText().user("capercaillie").lines.slice(-1));
      await untilIndexed(library);
      await home.close(library);
      expect([databases(old), databases(next).length > 1]).toEqual([[], true]);
    }
    const again = await home.open();
    await untilIndexed(again);
    expect(await again.work()).toMatchObject({ filesOpened: 0, rowsWritten: 0 });
    expect(await again.search(searchFor("capercaillie"))).toMatchObject({ total: 2 });
  });

  it("tells how far the new one is", async () => {
    await using home = await indexedHome();
    age(home.data);
    const library = await home.open();
    await library.scan();
    const { state, pending, sessions } = library.status();
    expect([state, sessions]).toEqual(["indexing", SESSIONS]);
    expect(pending).toBeGreaterThan(0);
    expect((await library.search(searchFor("dugong"))).indexing.pending).toBeGreaterThan(0);
    await untilIndexed(library);
    const { bytes_done, bytes_total } = library.status();
    expect([bytes_total > 0, bytes_done]).toEqual([true, bytes_total]);
  });

  it("goes on answering when the new one cannot be built", async () => {
    await using home = await indexedHome();
    age(home.data);
    await home.write("../../data/index-successor", "a file where a folder should be");
    const library = await home.open();
    await untilIndexed(library);
    expect(await library.search(searchFor("dugong"))).toMatchObject({ total: SESSIONS });
    expect(home.log.map((line) => line.message)).toEqual(["Could not build the new index; using the old one"]);
  });

  it.each<[string, (pieces: AsyncIterator<Uint8Array>) => Promise<unknown>]>([
    [
      "read to its end",
      async (pieces) => {
        while ((await pieces.next()).done !== true);
      },
    ],
    ["given up before its first piece", async (pieces) => pieces.return?.()],
  ])("waits for an export to be %s before it goes", async (_, end) => {
    await using home = await indexedHome();
    age(home.data);
    const library = await home.open();
    const path = join(home.sessions, "p/0.jsonl");
    const { chunks } = await library.exportStream({ ...EXPORT, path, format: "json" });
    const pieces = chunks[Symbol.asyncIterator]();
    await library.scan();
    await until(() => library.status().pending === 1);
    expect(databases(home.data).length).toBeGreaterThan(1);
    await end(pieces);
    await untilIndexed(library);
    await home.close(library);
    expect(databases(home.data)).toEqual([]);
  });

  it("is whole at every start, and its successor comes to a fresh one, whenever the process is killed", async () => {
    await using children = await LibraryChildren.create();
    await using home = await indexedHome();
    age(home.data);
    let versions = 0;
    for (let round = 0; round < 8; round++) {
      const steps = [["search", searchFor("dugong")], ["list", LIST], ["untilIndexed"], ["untilIndexed"]] as const;
      const child = children.start(
        home.options,
        steps.map((step) => [...step]),
      );
      await child.hasPrinted(3);
      await delay(round * 15);
      child.process.kill("SIGKILL");
      const [, found, listed] = (await child.ended).stdout
        .split("\n")
        .map((line) => (line === "" ? {} : JSON.parse(line).value));
      expect(found).toMatchObject({ total: SESSIONS });
      expect(listed).toMatchObject({ total: SESSIONS });
      // While the old one answers, what it says goes into the new one as well.
      if (round % 3 === 0)
        await home.append(join(home.sessions, `p/${round}.jsonl`), new SessionText().user("more").lines.slice(-1));
      if (!existsSync(join(home.data, "index.db"))) versions++;
    }
    await unlink(join(home.sessions, "p/7.jsonl"));
    for (const dataDir of [home.data, join(home.directory, "fresh")]) {
      const library = await home.open({ dataDir });
      await untilIndexed(library);
      await home.close(library);
    }
    const [present, fresh] = [dumpIndex(home.data), dumpIndex(join(home.directory, "fresh"))];
    expect(present.files).toEqual(fresh.files);
    expect(present.documents).toEqual(fresh.documents);
    expect(present.documents).toHaveLength(2 * (SESSIONS - 1) + 3);
    expect(versions).toBeLessThan(8);
  });
});
