import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_PAGE_BYTES, MAX_SHARES, type SavedShare, ShareStore } from "./share-store.ts";

const HOUR_MS = 3_600_000;

let dataDir: string;
let store: ShareStore;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "shares-"));
  store = new ShareStore(dataDir);
});

afterEach(() => rm(dataDir, { recursive: true }));

const shared = (changes: Partial<SavedShare> = {}): SavedShare => ({
  session_path: "/s/a.jsonl",
  title: "Tides",
  created_at: "2026-03-01T10:00:00.000Z",
  expires_at: "2999-01-01T00:00:00.000Z",
  ...changes,
});

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const one of texts) yield Buffer.from(one);
}

const add = (changes: Partial<SavedShare> = {}, ...texts: string[]) =>
  store.add(shared(changes), async () => pieces(...texts, "page"));

const names = () => readdir(join(dataDir, "shares"));

async function read(secret: string, now?: number): Promise<string | null> {
  const page = await store.open(secret, now);
  return page === null ? null : text(page.chunks);
}

describe("add", () => {
  it("keeps the page, which its secret opens, and no secret", async () => {
    const { record, secret } = await add({}, "<p>", "ä");
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(record).toEqual({
      ...shared(),
      id: expect.stringMatching(/^[\da-f]{32}$/),
      size_bytes: 9,
      opened_count: 0,
      last_opened_at: null,
    });
    expect(await read(secret)).toBe("<p>äpage");
    const folder = join(dataDir, "shares", record.id);
    for (const name of await readdir(folder)) {
      expect((await readFile(join(folder, name), "utf8")).includes(secret), name).toBe(false);
    }
    expect(secret).not.toContain(record.id);
  });

  it.skipIf(process.platform === "win32")("lets no other account read it", async () => {
    const { record } = await add();
    const folder = join(dataDir, "shares", record.id);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  it("leaves nothing of a page that could not be made", async () => {
    const failing = async function* () {
      yield Buffer.from("a");
      throw new Error("The session is gone.");
    };
    await expect(store.add(shared(), async () => failing())).rejects.toThrow("gone");
    await expect(store.add(shared(), () => Promise.reject(new Error("No session.")))).rejects.toThrow("No session");
    expect(await names()).toEqual([]);
  });

  it("ends a page that is too large, and leaves nothing of it", async () => {
    let ended = false;
    const endless = async function* () {
      try {
        for (;;) yield new Uint8Array(MAX_PAGE_BYTES / 8);
      } finally {
        ended = true;
      }
    };
    await expect(store.add(shared(), async () => endless())).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(ended).toBe(true);
    expect(await names()).toEqual([]);
  });

  it(`keeps ${MAX_SHARES} at most, and starts no page above that`, async () => {
    await add({ expires_at: "2026-03-02T00:00:00.000Z" });
    await add();
    // Others are being made.
    for (let count = 1; count < MAX_SHARES; count++) await mkdir(join(dataDir, "shares", `.new-${count}`));
    let started = false;
    const makePage = async () => {
      started = true;
      return pieces("page");
    };
    await expect(store.add(shared(), makePage)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(started).toBe(false);
    expect(await names()).toHaveLength(MAX_SHARES);
  });
});

describe("open", () => {
  it("counts, and looking does not", async () => {
    const { record, secret } = await add();
    expect(await store.look(secret)).toEqual({ bytes: 4 });
    const before = Date.now();
    for (let count = 0; count < 3; count++) await read(secret);
    const [found] = await store.list();
    expect(found).toMatchObject({ id: record.id, opened_count: 3 });
    expect(Date.parse(found?.last_opened_at ?? "")).toBeGreaterThanOrEqual(before - 1_000);
  });

  it.each<[what: string, change: (secret: string, id: string) => string]>([
    ["nothing", () => ""],
    ["the id", (_secret, id) => id],
    ["a part", (secret) => secret.slice(1)],
    ["more", (secret) => `${secret}A`],
    ["another secret", (secret) => (secret.startsWith("A") ? "B" : "A") + secret.slice(1)],
    ["a path", (_secret, id) => `../shares/${id}`],
    ["a path of the same length", () => "../../../../../../../../../../../../etc/passwd"],
  ])("finds nothing for %s", async (_, change) => {
    const { record, secret } = await add();
    const other = change(secret, record.id);
    expect(await store.open(other)).toBeNull();
    expect(await store.look(other)).toBeNull();
    expect(await read(secret)).toBe("page");
  });

  it("ends to the millisecond when it expires", async () => {
    const { secret } = await add({ expires_at: "2027-01-01T00:00:00.000Z" });
    const end = Date.parse("2027-01-01T00:00:00.000Z");
    expect(await read(secret, end - 1)).toBe("page");
    expect(await read(secret, end)).toBeNull();
    expect(await store.list(end)).toEqual([]);
  });

  it.each(["", "{", "[]", '{"expires_at":"never"}'])("finds nothing where what was written is %j", async (content) => {
    const { record, secret } = await add();
    await writeFile(join(dataDir, "shares", record.id, "share.json"), content);
    expect(await store.open(secret)).toBeNull();
    expect(await store.list()).toEqual([]);
    expect(await store.remove(record.id)).toBe(true);
    expect(await names()).toEqual([]);
  });

  it("shows the page although it cannot be counted", async () => {
    const { record, secret } = await add();
    await rm(join(dataDir, "shares", record.id, "opened"));
    expect(await read(secret)).toBe("page");
    expect(await store.list()).toMatchObject([{ opened_count: 0, last_opened_at: null }]);
  });

  it("goes on with a page that is removed meanwhile", async () => {
    const { record, secret } = await add();
    const page = await store.open(secret);
    await store.remove(record.id);
    expect(page === null ? null : await text(page.chunks)).toBe("page");
  });
});

describe("list", () => {
  it("has the newest first, also after a restart", async () => {
    expect(await store.list()).toEqual([]);
    const first = await add({ created_at: "2026-03-01T10:00:00.000Z" });
    const second = await add({ created_at: "2026-03-01T10:00:01.000Z" });
    const listed = await new ShareStore(dataDir).list();
    expect(listed.map(({ id }) => id)).toEqual([second.record.id, first.record.id]);
  });
});

describe("remove", () => {
  it("frees the disk, at once and once", async () => {
    const { record, secret } = await add();
    const kept = await add();
    expect(await store.remove(record.id)).toBe(true);
    expect(await store.remove(record.id)).toBe(false);
    expect(await store.open(secret)).toBeNull();
    expect(await names()).toEqual([kept.record.id]);
  });

  it.each(["", "..", "../state.db", "a".repeat(32)])("removes nothing for %j", async (id) => {
    await writeFile(join(dataDir, "state.db"), "");
    await add();
    expect(await store.remove(id)).toBe(false);
    expect(await names()).toHaveLength(1);
    expect(await readdir(dataDir)).toContain("state.db");
  });
});

describe("removeExpired", () => {
  it("removes what has expired, and tells", async () => {
    const { record } = await add({ expires_at: "2027-01-01T00:00:00.000Z" });
    const kept = await add();
    expect(await store.removeExpired(Date.parse("2027-01-01T00:00:00.000Z") - 1)).toEqual([]);
    expect(await store.removeExpired(Date.parse("2027-01-01T00:00:00.000Z"))).toEqual([record.id]);
    expect(await names()).toEqual([kept.record.id]);
  });

  it("removes what killed processes have left, but nothing that may still be made", async () => {
    const { record } = await add();
    const folder = (name: string) => join(dataDir, "shares", name);
    const left = [".new-1", "a".repeat(32)];
    for (const name of left) {
      await mkdir(folder(name));
      await writeFile(join(folder(name), "page.html"), "half a page");
    }
    await truncate(join(folder(record.id), "opened"));
    await store.removeExpired();
    expect((await names()).sort()).toEqual([...left, record.id].sort());
    const before = new Date(Date.now() - 2 * HOUR_MS);
    for (const name of left) await utimes(folder(name), before, before);
    await store.removeExpired();
    expect(await names()).toEqual([record.id]);
  });

  it("has nothing to do where nothing was ever shared", async () => {
    expect(await store.removeExpired()).toEqual([]);
    expect(await readdir(dataDir)).toEqual([]);
  });
});
