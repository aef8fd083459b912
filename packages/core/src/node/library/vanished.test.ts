import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_VAULT_SETTINGS } from "../../vault.ts";
import { openDatabase } from "../storage/sqlite.ts";
import {
  codeOf,
  EXPORT,
  LIST,
  SessionText,
  scanAll,
  searchFor,
  TestHome,
  until,
  untilIndexed,
} from "./library.fixture.ts";
import type { Library } from "./library.ts";

const KEPT = { vault: DEFAULT_VAULT_SETTINGS };

async function untilKept(library: Library, sessions: number): Promise<void> {
  await untilIndexed(library);
  await until(async () => {
    const status = await library.vault.status();
    return status.pending === 0 && status.sessions >= sessions;
  });
}

async function newHome(): Promise<{ home: TestHome; path: string; text: string; library: Library }> {
  const home = await TestHome.create();
  const path = await home.write("p/a.jsonl", new SessionText().user("An owl asks").assistant("A fox answers").lines);
  const library = await home.open(KEPT);
  await untilKept(library, 1);
  return { home, path, text: await readFile(path, "utf8"), library };
}

const sourceOf = async (library: Library, path: string) => (await library.session(path).catch(() => null))?.source;

describe("a session whose file is gone", () => {
  it("is listed, read, searched, exported, named and tagged as before", async () => {
    const { home, path, text, library } = await newHome();
    await using _ = home;
    const before = await library.session(path);
    await rm(path);
    await until(async () => (await sourceOf(library, path)) === "vault");
    const { sessions } = await library.list(LIST);
    expect(sessions).toEqual([
      {
        ...before,
        source: "vault",
        capabilities: { rename: true, fork: false, delete: true, start: false, resume_command: null },
      },
    ]);
    expect(await scanAll(library)).toEqual(sessions);
    expect((await library.search(searchFor("owl"))).hits).toMatchObject([{ session_path: path }]);
    expect((await library.readEntries({ path, limit: 10 })).entries).toHaveLength(2);
    expect((await library.export({ ...EXPORT, path, format: "markdown" })).content).toContain("A fox answers");
    expect(await library.readText(path)).toBe(text);
    expect((await library.rename(path, "Owls")).name).toBe("Owls");
    expect((await library.toggleFavorite(path)).is_favorite).toBe(true);
    expect(await codeOf(library.fork(path))).toBe("CONFLICT");
    await until(async () => (await library.vault.status()).only_here === 1);
    expect(await library.vault.status()).toMatchObject({ sessions: 1, problems: [] });
  });

  it("is counted before a limit removes it", async () => {
    const { home, path, library } = await newHome();
    await using _ = home;
    const limits = { maxBytes: 1, deletedDays: 0, replacedDays: 0 };
    expect(await library.vault.previewLimits(limits)).toEqual({ sessions: 0, generations: 0, bytes: 0 });
    await rm(path);
    await until(async () => (await library.vault.status()).only_here === 1);
    const removals = await library.vault.previewLimits(limits);
    expect(removals).toMatchObject({ sessions: 1, generations: 1 });
    expect(removals.bytes).toBeGreaterThan(0);
    // What is left out is as in force.
    expect((await library.vault.previewLimits({})).sessions).toBe(0);
    expect((await library.vault.status()).sessions).toBe(1);
    library.setVaultSettings({ ...DEFAULT_VAULT_SETTINGS, ...limits });
    await until(async () => (await library.vault.status()).sessions === 0);
  });

  it("stays after a restart, also where the index is lost, and where nobody saw the file go", async () => {
    const { home, path, library } = await newHome();
    await using _ = home;
    await home.close(library);
    await rm(dirname(path), { recursive: true });
    const again = await home.open(KEPT);
    await until(async () => (await sourceOf(again, path)) === "vault");
    await home.close(again);
    for (const name of ["index.db", "index-text-0.db", "index-text-1.db"])
      await rm(join(home.data, name), { force: true });
    const rebuilt = await home.open(KEPT);
    await until(async () => (await rebuilt.search(searchFor("fox"))).hits[0]?.session_path === path);
    await home.close(rebuilt);
    // What keeps nothing more reads what was kept.
    const reading = await home.open();
    expect(await sourceOf(reading, path)).toBe("vault");
  });

  it("is a file again when it is restored, and never in the place of another", async () => {
    const { home, path, text, library } = await newHome();
    await using _ = home;
    const modified = (await stat(path)).mtimeMs;
    await rm(path);
    await until(async () => (await sourceOf(library, path)) === "vault");
    expect((await library.vault.restore({ path })).source).toBe("file");
    expect([await readFile(path, "utf8"), Math.round((await stat(path)).mtimeMs)]).toEqual([
      text,
      Math.round(modified),
    ]);
    expect(await codeOf(library.vault.restore({ path }))).toBe("CONFLICT");
    const to = join(home.sessions, "other/b.jsonl");
    expect((await library.vault.restore({ path, to })).path).toBe(to);
    expect(await readFile(to, "utf8")).toBe(text);
    for (const outside of ["/tmp/b.jsonl", join(home.sessions, "../b.jsonl"), join(home.sessions, "b.txt")]) {
      expect(await codeOf(library.vault.restore({ path, to: outside }))).toBe("FORBIDDEN");
    }
    expect(await codeOf(library.vault.restore({ path: join(home.sessions, "p/c.jsonl") }))).toBe("NOT_FOUND");
  });

  it("keeps the earlier content of a file that was rewritten", async () => {
    const { home, path, text, library } = await newHome();
    await using _ = home;
    await home.write("p/a.jsonl", new SessionText().user("Another one").lines);
    await until(async () => (await library.vault.generations(path)).length === 2);
    const [, first] = await library.vault.generations(path);
    const to = join(home.sessions, "p/first.jsonl");
    await library.vault.restore({ path, to, generation: first?.generation });
    expect(await readFile(to, "utf8")).toBe(text);
  });

  it("keeps what is appended", async () => {
    const { home, path, library } = await newHome();
    await using _ = home;
    const more = `${JSON.stringify({ type: "custom", id: "x", parentId: null, text: "last words" })}\n`;
    await appendFile(path, more);
    await until(async () => (await library.vault.generations(path))[0]?.size_bytes === (await stat(path)).size);
    await rm(path);
    await until(async () => (await sourceOf(library, path)) === "vault");
    expect((await library.readText(path)).endsWith(more)).toBe(true);
  });

  it("goes where its file goes", async () => {
    const { home, path, library } = await newHome();
    await using _ = home;
    const to = join(home.sessions, "q/b.jsonl");
    await mkdir(dirname(to));
    await rename(path, to);
    await until(async () => (await sourceOf(library, to)) === "file" && (await sourceOf(library, path)) === undefined);
    await until(async () => (await library.vault.generations(to).catch(() => [])).length > 0);
    await rm(to);
    await until(async () => (await sourceOf(library, to)) === "vault");
    await until(async () => (await scanAll(library)).map((record) => record.path).join() === to);
  });

  it("is a file again when somebody puts it back", async () => {
    const { home, path, text, library } = await newHome();
    await using _ = home;
    await rm(path);
    await until(async () => (await sourceOf(library, path)) === "vault");
    await writeFile(path, text);
    await until(async () => (await sourceOf(library, path)) === "file");
    await until(async () => (await library.vault.status()).only_here === 0);
  });
});

describe("a session that the user deletes", () => {
  it("is gone from lists and comes back from the list of deleted ones", async () => {
    const { home, path, text, library } = await newHome();
    await using _ = home;
    await library.toggleFavorite(path);
    await library.delete(path);
    expect(await scanAll(library)).toEqual([]);
    expect(await library.vault.deleted()).toMatchObject([{ path, title: "An owl asks", size_bytes: text.length }]);
    expect(await library.vault.undelete(path)).toMatchObject({ source: "file", is_favorite: true });
    expect(await readFile(path, "utf8")).toBe(text);
    expect(await library.vault.deleted()).toEqual([]);
    expect(await codeOf(library.vault.undelete(path))).toBe("NOT_FOUND");
  });

  it("is forgotten at once where that is asked for", async () => {
    const { home, path, library } = await newHome();
    await using _ = home;
    await library.delete(path, { force: true });
    expect([await library.vault.deleted(), (await library.vault.status()).sessions]).toEqual([[], 0]);
  });

  it("goes also where its file is gone already", async () => {
    const { home, path, library } = await newHome();
    await using _ = home;
    await rm(path);
    await until(async () => (await sourceOf(library, path)) === "vault");
    expect(await library.delete(path)).toMatchObject({ method: "vault" });
    expect(await scanAll(library)).toEqual([]);
    expect((await library.vault.undelete(path)).source).toBe("file");
  });

  it("is no longer kept when it is forgotten", async () => {
    const { home, path, library } = await newHome();
    await using _ = home;
    await rm(path);
    await until(async () => (await sourceOf(library, path)) === "vault");
    await library.vault.forget(path);
    expect(await scanAll(library)).toEqual([]);
    expect((await library.vault.status()).sessions).toBe(0);
    expect(await codeOf(library.vault.forget(path))).toBe("NOT_FOUND");
  });
});

describe("what is not kept", () => {
  it.each([
    ["formats that are excluded", { excludedFormats: ["pi" as const] }],
    ["projects that are excluded", { excludedProjects: ["/home/dev"] }],
    ["anything where it is switched off", { enabled: false }],
  ])("%s", async (_, settings) => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", new SessionText().user("Hello").lines);
    const library = await home.open({ vault: { ...DEFAULT_VAULT_SETTINGS, ...settings } });
    await untilIndexed(library);
    await until(async () => (await library.vault.status()).pending === 0);
    expect((await library.vault.status()).sessions).toBe(0);
    expect([await codeOf(library.vault.generations(path)), await library.vault.deleted()]).toEqual(["NOT_FOUND", []]);
    await rm(path);
    await until(async () => (await sourceOf(library, path)) === undefined);
  });
});

it("finds damage and mends it from the original, while there is one", async () => {
  const { home, path, text, library } = await newHome();
  await using _ = home;
  const damage = () => {
    const client = openDatabase(join(home.data, "vault.db"), { durability: "normal" });
    for (const table of ["chunks", "tails"]) client.exec(`UPDATE ${table} SET packed = zeroblob(9)`);
    client.close();
  };
  damage();
  const seen: number[] = [];
  const { checked, damaged } = await library.vault.verify((done) => seen.push(done));
  expect({ damaged, isAll: seen.at(-1) === checked }).toEqual({ damaged: [{ path, is_repaired: true }], isAll: true });
  expect((await library.vault.verify()).damaged).toEqual([]);
  await rm(path);
  await until(async () => (await sourceOf(library, path)) === "vault");
  expect(await library.readText(path)).toBe(text);
  damage();
  expect((await library.vault.verify()).damaged).toEqual([{ path, is_repaired: false }]);
});

it("is copied elsewhere and read back on another machine", async () => {
  const { home, path, text, library } = await newHome();
  await using _ = home;
  await rm(path);
  await until(async () => (await sourceOf(library, path)) === "vault");
  const directory = join(home.directory, "copy");
  expect(await library.vault.exportTo(directory)).toMatchObject({ directory, sessions: 1 });
  expect((await library.vault.exportTo(directory)).written_bytes).toBeLessThan(2_000);
  const other = await home.open({ ...KEPT, dataDir: join(home.directory, "other data") });
  expect((await other.vault.importFrom(directory)).sessions).toBe(1);
  await until(async () => (await sourceOf(other, path)) === "vault");
  expect(await other.readText(path)).toBe(text);
});
