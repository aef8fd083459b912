import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../storage/sqlite.ts";
import { createBackup, timestampForFileName } from "./backups.ts";
import { openStateDatabase } from "./database.ts";
import { latestVersion, versionOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/embedded.ts";
import type { SessionIdentity, UserState } from "./ports.ts";
import { openUserState } from "./user-state.ts";

const HOUR_MS = 60 * 60 * 1000;
const later = { path: "/s/later.jsonl", id: "later" };

let dataDir: string;
let stateFile: string;
let backupDirectory: string;
let said: { level: string; message: string }[];
const log = {
  info: (_: object, message: string) => said.push({ level: "info", message }),
  warn: (_: object, message: string) => said.push({ level: "warn", message }),
  error: (_: object, message: string) => said.push({ level: "error", message }),
};

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "state-"));
  stateFile = join(dataDir, "state.db");
  backupDirectory = join(dataDir, "backups");
  said = [];
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Opens the state, toggles the favorites, closes it; gives the paths of all favorites. */
async function use(...sessions: SessionIdentity[]): Promise<string[]> {
  const state = openUserState({ dataDir, log });
  for (const session of sessions) await state.marks.toggleFavorite(session);
  const paths = await state.marks.favorites();
  await state.close();
  return paths;
}

function many(count: number): SessionIdentity[] {
  return Array.from({ length: count }, (_, n) => ({ path: `/home/u/sessions/${n}.jsonl`, id: `id-${n}` }));
}

function backups(): string[] {
  return existsSync(backupDirectory) ? readdirSync(backupDirectory).sort() : [];
}

/** Names the only backup as if it had been made some hours ago. */
function ageBackup(hours: number): Date {
  const time = new Date(Date.now() - hours * HOUR_MS);
  const [name = ""] = backups();
  renameSync(join(backupDirectory, name), join(backupDirectory, `state-${timestampForFileName(time)}.db`));
  return time;
}

describe("migrations", () => {
  const present = latestVersion(MIGRATIONS);
  const extra = { version: present + 1, sql: "CREATE TABLE extra (id TEXT); INSERT INTO extra VALUES ('x');" };
  const broken = { version: present + 2, sql: "CREATE TABLE third (id TEXT); INSERT INTO missing VALUES (1);" };

  it("make a new file in one go, without a backup", () => {
    const { client, problem } = openStateDatabase({ dataDir, log });
    expect(versionOf(client)).toBe(present);
    expect(problem).toBeNull();
    client.close();
    expect(backups()).toEqual([]);
    expect(said).toEqual([]);
  });

  it("of an existing file come after a backup of it", async () => {
    const favorites = await use(...many(3));
    openStateDatabase({ dataDir, log }, [...MIGRATIONS, extra]).client.close();
    const [name = ""] = backups();
    copyFileSync(join(backupDirectory, name), join(dataDir, "copy.db"));
    const backup = openDatabase(join(dataDir, "copy.db"), { durability: "full" });
    expect(versionOf(backup)).toBe(present);
    expect(backup.prepare("SELECT count(*) FROM favorites").pluck().get()).toBe(favorites.length);
    backup.close();
    expect(said.map(({ level }) => level)).toEqual(["info"]);
  });

  it("that fail leave the steps before them and nothing of themselves", async () => {
    await use(...many(3));
    expect(() => openStateDatabase({ dataDir, log }, [...MIGRATIONS, extra, broken])).toThrow(/no such table/);
    const { client } = openStateDatabase({ dataDir, log }, [...MIGRATIONS, extra]);
    expect(versionOf(client)).toBe(present + 1);
    expect(client.prepare("SELECT name FROM sqlite_schema WHERE name IN ('extra', 'third')").pluck().all()).toEqual([
      "extra",
    ]);
    expect(client.prepare("SELECT count(*) FROM favorites").pluck().get()).toBe(3);
    client.close();
  });

  it("are not tried where no backup can be made", async () => {
    await use(...many(3));
    writeFileSync(backupDirectory, "in the way");
    expect(() => openStateDatabase({ dataDir, log }, [...MIGRATIONS, extra])).toThrow(
      expect.objectContaining({ code: "READ_ONLY" }),
    );
    const { client } = openStateDatabase({ dataDir, log });
    expect(versionOf(client)).toBe(present);
    client.close();
  });

  it("of a newer program are left alone", async () => {
    await use(...many(3));
    openStateDatabase({ dataDir, log }, [...MIGRATIONS, extra]).client.close();
    const bytes = readFileSync(stateFile);
    expect(() => openStateDatabase({ dataDir, log })).toThrow(
      expect.objectContaining({ code: "UNAVAILABLE", message: expect.stringMatching(/newer.*update/) }),
    );
    expect(readFileSync(stateFile).equals(bytes)).toBe(true);
  });
});

describe("backups", () => {
  it("are made at the next start, then at most once a day", async () => {
    await use(...many(3));
    expect(backups()).toEqual([]);
    await use(later);
    expect(backups()).toHaveLength(1);
    await use(later);
    await use(later);
    expect(backups()).toHaveLength(1);
    ageBackup(25);
    await use();
    expect(backups()).toHaveLength(2);
  });

  it("are not made of what has not changed", async () => {
    await use(...many(3));
    await use();
    const made = ageBackup(48);
    utimesSync(stateFile, made, new Date(made.getTime() - HOUR_MS));
    await use();
    await use();
    expect(backups()).toHaveLength(1);
  });

  it("count a change that is only in the write-ahead log yet", async () => {
    await use(...many(3));
    await use();
    const made = ageBackup(48);
    const running = openUserState({ dataDir, log });
    await running.marks.toggleFavorite(later);
    utimesSync(stateFile, made, new Date(made.getTime() - HOUR_MS));
    await use();
    expect(backups()).toHaveLength(2);
    await running.close();
  });

  it("are kept to the newest five", async () => {
    await use(...many(3));
    await use();
    ageBackup(30);
    const [newest = ""] = backups();
    for (let month = 1; month <= 6; month++) {
      copyFileSync(join(backupDirectory, newest), join(backupDirectory, `state-2020-0${month}-01T00-00-00-000Z.db`));
    }
    writeFileSync(join(backupDirectory, "state-2020-01-01T00-00-00-000Z.db.unfinished"), "half");
    writeFileSync(join(backupDirectory, "mine.db"), "not ours");
    await use(later);
    expect(backups()).toEqual([
      "mine.db",
      "state-2020-04-01T00-00-00-000Z.db",
      "state-2020-05-01T00-00-00-000Z.db",
      "state-2020-06-01T00-00-00-000Z.db",
      newest,
      expect.stringMatching(/^state-/),
    ]);
  });

  describe("while the state stays open", () => {
    beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
    afterEach(() => vi.useRealTimers());

    const pass = (hours: number) => vi.setSystemTime(Date.now() + hours * HOUR_MS);
    /** Writes at the time that it is now, which the file system does not know. */
    async function change(state: UserState): Promise<void> {
      await state.marks.toggleFavorite(later);
      const now = new Date();
      utimesSync(existsSync(`${stateFile}-wal`) ? `${stateFile}-wal` : stateFile, now, now);
    }

    it("are made once a day, and none of what has not changed", async () => {
      const state = openUserState({ dataDir, log });
      await change(state);
      const made: number[] = [];
      for (let hour = 1; hour <= 100; hour++) {
        pass(1);
        if (hour === 30 || hour === 31) await change(state);
        const before = backups().length;
        for (let times = 0; times < 3; times++) state.backUpIfDue();
        if (backups().length > before) made.push(hour);
      }
      // What was changed in hour 31 is in the one of a day after that of hour 30.
      expect(made).toEqual([1, 30, 54]);
      await state.close();
      const copy = openDatabase(join(backupDirectory, backups().at(-1) ?? ""), { durability: "full", readonly: true });
      expect(copy.prepare("SELECT count(*) FROM favorites").pluck().get()).toBe(1);
      copy.close();
      expect(said).toEqual([]);
    });

    it("cost nothing within the hour", async () => {
      const state = openUserState({ dataDir, log });
      await change(state);
      pass(0.9);
      state.backUpIfDue();
      expect(backups()).toEqual([]);
      await state.close();
    });

    it("are not made of a file that was damaged or replaced", async () => {
      await use(...many(60));
      const state = openUserState({ dataDir, log });
      const good = backups();
      pass(25);
      await change(state);
      writeFileSync(stateFile, Buffer.from(readFileSync(stateFile)).fill(0xa5, 8192));
      state.backUpIfDue();
      renameSync(stateFile, `${stateFile}.aside`);
      pass(1);
      state.backUpIfDue();
      expect(backups()).toEqual(good);
      expect(said.filter(({ level }) => level === "warn")).toHaveLength(2);
      await state.close();
    });

    it("that cannot be written are tried again after an hour", async () => {
      const state = openUserState({ dataDir, log });
      await change(state);
      writeFileSync(backupDirectory, "in the way");
      pass(1);
      for (let times = 0; times < 3; times++) state.backUpIfDue();
      expect(said.map(({ level }) => level)).toEqual(["warn"]);
      rmSync(backupDirectory);
      state.backUpIfDue();
      expect(backups()).toEqual([]);
      pass(1);
      state.backUpIfDue();
      expect(backups()).toHaveLength(1);
      await state.close();
    });
  });

  it("that are broken off leave nothing behind", () => {
    const { client } = openStateDatabase({ dataDir, log });
    client.close();
    expect(() => createBackup(client, backupDirectory)).toThrow(/not open/);
    expect(backups()).toEqual([]);
  });

  it("that cannot be written are a warning", async () => {
    const favorites = await use(...many(3));
    writeFileSync(backupDirectory, "in the way");
    expect(await use()).toEqual(favorites);
    expect(said.map(({ level }) => level)).toEqual(["warn"]);
  });

  it.runIf(process.platform !== "win32")("are private", async () => {
    await use(...many(3));
    await use();
    const [name = ""] = backups();
    expect(statSync(backupDirectory).mode & 0o777).toBe(0o700);
    expect(statSync(join(backupDirectory, name)).mode & 0o777).toBe(0o600);
  });
});

describe("a damaged state.db", () => {
  const damages: [string, (bytes: Buffer) => Buffer][] = [
    ["zeros in the middle", (bytes) => Buffer.from(bytes).fill(0, 8192, 16384)],
    ["a changed key in a row", (bytes) => replaceOnce(bytes, "/home/u/sessions/1.jsonl", "/home/u/sessions/X.jsonl")],
    ["half of the file", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ["its last page gone, and the one before torn", (bytes) => bytes.subarray(0, -4196)],
    ["part of the header", (bytes) => bytes.subarray(0, 50)],
    ["an empty file", () => Buffer.alloc(0)],
    ["text", () => Buffer.from("favorites: all of them\n".repeat(1000))],
    ["a garbage header", (bytes) => Buffer.from(bytes).fill(0xa5, 0, 100)],
    ["a format that SQLite does not know", (bytes) => Buffer.from(bytes).fill(0xa5, 44, 48)],
    ["a lost version", (bytes) => Buffer.from(bytes).fill(0, 60, 64)],
    ["garbage everywhere", (bytes) => Buffer.from(bytes.map((byte, at) => byte ^ (at * 31)))],
  ];

  function replaceOnce(bytes: Buffer, text: string, replacement: string): Buffer {
    const changed = Buffer.from(bytes);
    changed.write(replacement, bytes.indexOf(text));
    return changed;
  }

  /** Makes a state with rows in its last page too, with a backup that lacks the last change, and damages it. */
  async function damage(spoil: (bytes: Buffer) => Buffer): Promise<{ damaged: Buffer; backedUp: string[] }> {
    await use(...many(60));
    const state = openUserState({ dataDir, log });
    const change = { versionId: "1", origin: "test", bundle: {}, tags: [], values: { theme: "dark" } };
    await state.configuration.change(change, () => undefined);
    await state.close();
    const [, ...backedUp] = await use(later);
    const damaged = spoil(readFileSync(stateFile));
    writeFileSync(stateFile, damaged);
    return { damaged, backedUp };
  }

  /** What is left of the damaged files, by the part of the name after the time. */
  function keptAside(): Map<string, Buffer> {
    const names = readdirSync(dataDir).filter((name) => name.startsWith("state.db.corrupt-"));
    return new Map(names.map((name) => [name.replace(/.*Z/, ""), readFileSync(join(dataDir, name))]));
  }

  /** Changes the tables of the state file as somebody may who has another program for them. */
  function withSql(sql: string): (bytes: Buffer) => Buffer {
    return (bytes) => {
      const path = join(dataDir, "changed.db");
      writeFileSync(path, bytes);
      const client = openDatabase(path, { durability: "full" });
      client.unsafeMode();
      client.pragma("foreign_keys = OFF");
      client.exec(sql);
      client.pragma("journal_mode = DELETE");
      client.close();
      const changed = readFileSync(path);
      rmSync(path);
      return changed;
    };
  }

  damages.push(
    ["a table that is missing", withSql("DROP TABLE tokens")],
    ["a column that is missing", withSql("ALTER TABLE tags DROP COLUMN color")],
    ["a column of another name", withSql("ALTER TABLE marked_sessions RENAME COLUMN session_id TO id")],
    [
      "a column of another type",
      withSql("ALTER TABLE config_values RENAME TO old; CREATE TABLE config_values (id TEXT, value BLOB)"),
    ],
    ["a column more", withSql("ALTER TABLE favorites ADD COLUMN extra TEXT NOT NULL DEFAULT 'x'")],
    ["an index that is missing", withSql("DROP INDEX tags_at_top")],
    ["an index more", withSql("CREATE UNIQUE INDEX one_color ON tags (color)")],
    [
      "a trigger",
      withSql("CREATE TRIGGER gone AFTER INSERT ON favorites BEGIN DELETE FROM marked_sessions; DELETE FROM tags; END"),
    ],
    [
      "a view in place of a table",
      withSql("ALTER TABLE tokens RENAME TO old; CREATE VIEW tokens AS SELECT * FROM old"),
    ],
    ["an earlier version than its tables", withSql("PRAGMA user_version = 1")],
    [
      "a definition that was written over",
      withSql(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'name TEXT', 'name BLOB') WHERE name = 'tags'",
      ),
    ],
    [
      "a table that lies where another does",
      withSql(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'tags') WHERE name = 'tokens'",
      ),
    ],
    [
      "a definition that is none",
      withSql("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'tags'"),
    ],
  );

  it("is none where SQLite or somebody keeps more in it", async () => {
    const favorites = await use(...many(3));
    const client = openDatabase(stateFile, { durability: "full" });
    client.exec("ANALYZE; CREATE TABLE mine (id INTEGER PRIMARY KEY); CREATE VIEW stars AS SELECT * FROM favorites");
    client.close();
    expect(await use()).toEqual(favorites);
    expect(said).toEqual([]);
  });

  it.each(damages)("(%s) is kept aside and the backup restored", async (_, change) => {
    const { damaged, backedUp } = await damage(change);
    const backup = readFileSync(join(backupDirectory, String(backups()[0])));
    const state = openUserState({ dataDir, log });
    expect(await state.marks.favorites()).toEqual(backedUp);
    expect(state.problem).toMatch(/kept as .*corrupt-.* The backup of 20.* was restored/);
    expect(said).toEqual([{ level: "error", message: state.problem }]);
    await state.marks.toggleFavorite(later);
    await state.close();

    expect(keptAside().get("")?.equals(damaged)).toBe(true);
    expect(backups()).toHaveLength(1);
    expect(readFileSync(join(backupDirectory, String(backups()[0]))).equals(backup)).toBe(true);
    const again = openUserState({ dataDir, log });
    expect(again.problem).toBeNull();
    expect(await again.marks.favorites()).toEqual([later.path, ...backedUp]);
    await again.close();
  });

  it.each(damages)("(%s) without a backup is kept aside and begun anew", async (_, change) => {
    const { damaged } = await damage(change);
    rmSync(backupDirectory, { recursive: true });
    const state = openUserState({ dataDir, log });
    expect(await state.marks.favorites()).toEqual([]);
    expect(state.problem).toMatch(/kept as .*corrupt-.* no good backup, so they start empty/);
    expect(said).toEqual([{ level: "error", message: state.problem }]);
    expect(await state.marks.toggleFavorite(later)).toBe(true);
    await state.close();
    expect(keptAside().get("")?.equals(damaged)).toBe(true);
  });

  it("does not bring tokens back that may have been revoked since the backup", async () => {
    const before = openUserState({ dataDir, log });
    const { id, token } = await before.tokens.create({ name: "n", scope: "full", expires_at: null });
    await before.close();
    await use();
    const after = openUserState({ dataDir, log });
    await after.tokens.revoke(id);
    await after.close();
    writeFileSync(stateFile, "damaged");

    const restored = openUserState({ dataDir, log });
    expect(restored.problem).toMatch(/was restored, without API tokens/);
    expect(restored.tokens.verify(token)).toBeNull();
    expect(await restored.tokens.list()).toEqual([]);
    await restored.close();
  });

  it("takes its write-ahead log along, which would spoil the restored one", async () => {
    const { backedUp } = await damage(() => Buffer.alloc(5000, "x"));
    writeFileSync(`${stateFile}-wal`, "log");
    writeFileSync(`${stateFile}-shm`, "map");
    expect(await use()).toEqual(backedUp);
    expect(keptAside().get("-wal")?.toString()).toBe("log");
    expect(keptAside().has("-shm")).toBe(true);
  });

  it("gets the newest backup that is good", async () => {
    const { backedUp } = await damage(() => Buffer.from("damaged"));
    writeFileSync(join(backupDirectory, "state-2030-01-01T00-00-00-000Z.db"), "damaged as well");
    const newer = join(backupDirectory, "state-2030-01-02T00-00-00-000Z.db");
    copyFileSync(join(backupDirectory, String(backups()[0])), newer);
    const client = openDatabase(newer, { durability: "full" });
    client.pragma("user_version = 99");
    client.close();
    expect(await use()).toEqual(backedUp);
  });

  it("is restored too when it is missing, as after a crash in the middle of that", async () => {
    const { backedUp } = await damage((bytes) => bytes);
    renameSync(stateFile, `${stateFile}.corrupt-2020`);
    expect(await use()).toEqual(backedUp);
    expect(said.map(({ level }) => level)).toEqual(["error"]);
  });

  it.each([
    ["DROP TABLE favorites", /no such table/],
    ["ALTER TABLE favorites RENAME COLUMN sequence TO number", /no such column/],
  ])("that loses tables while it is used says so: %s", async (sql, reason) => {
    await use(...many(3));
    const state = openUserState({ dataDir, log });
    const client = openDatabase(stateFile, { durability: "full" });
    client.exec(sql);
    client.close();
    const refused = { code: "UNAVAILABLE", message: expect.stringMatching(reason) };
    await expect(state.marks.favorites()).rejects.toMatchObject(refused);
    await expect(state.marks.toggleFavorite(later)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(state.problem).toMatch(/a restart restores the latest backup/);
    await state.close();
  });

  it("that gets damaged while it is used says so", async () => {
    await use(...many(300));
    await use();
    const state = openUserState({ dataDir, log });
    // The first page, which the open connection knows, stays whole.
    writeFileSync(stateFile, Buffer.from(readFileSync(stateFile)).fill(0xa5, 4096));
    await expect(state.marks.favorites()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(state.problem).toMatch(/damaged/);
    expect(said.at(-1)).toEqual({ level: "error", message: state.problem });
    await state.close();
  });
});

describe("a data directory that cannot be written", () => {
  /** Runs without the rights of root, who may write everywhere. */
  function unprivileged(work: () => void): void {
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  const refused = (path: string) =>
    expect.objectContaining({
      code: "READ_ONLY",
      message: expect.stringMatching(new RegExp(`${path}.*--data-dir`)),
    });

  it("because a file is in the way is named", () => {
    const path = join(dataDir, "file", "data");
    writeFileSync(join(dataDir, "file"), "");
    expect(() => openUserState({ dataDir: path, log })).toThrow(refused(path));
  });

  it.runIf(process.platform !== "win32").each([
    ["it may not be made", () => chmodSync(dataDir, 0o555), "data"],
    ["it may not be written", () => mkdirSync(join(dataDir, "data"), { mode: 0o555 }), "data"],
  ])("because %s is named", (_, prepare, name) => {
    const path = join(dataDir, name);
    prepare();
    // Owned by root where root runs this, so others must at least be able to reach it.
    if (process.getuid?.() === 0) chmodSync(dataDir, 0o555);
    unprivileged(() => expect(() => openUserState({ dataDir: path, log })).toThrow(refused(path)));
    chmodSync(dataDir, 0o755);
  });

  it.runIf(process.platform !== "win32")("because the file is another user's is named", async () => {
    await use(later);
    chmodSync(stateFile, 0o444);
    chmodSync(dataDir, 0o777);
    chmodSync(join(dataDir, "state.lock"), 0o666);
    unprivileged(() => expect(() => openUserState({ dataDir, log })).toThrow(refused(dataDir)));
  });
});
