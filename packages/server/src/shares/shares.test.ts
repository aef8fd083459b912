import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { AppError, type SessionRecord } from "@sm/core";
import type { Library } from "@sm/core/node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createShares, type Shares, type SharesOptions } from "./shares.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const DAY_MS = 86_400_000;
const PATH = "/s/a.jsonl";
const PROXIED = { allowed_hosts: ["sessions.example.org"], allowed_origins: ["https://sessions.example.org"] };
const ALL = { include_thinking: true, include_tools: true, include_subagents: false, theme: "system" } as const;

let dataDir: string;
let logged: string[];
let exported: unknown[];

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date", "setInterval", "clearInterval"] });
  dataDir = await mkdtemp(join(tmpdir(), "shares-"));
  logged = [];
  exported = [];
});

afterEach(async () => {
  vi.useRealTimers();
  await rm(dataDir, { recursive: true });
});

/** @param meanwhile happens while a page is made. */
function open(config: Partial<SharesOptions["config"]> = {}, meanwhile = async () => {}): Shares {
  const say = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const library: Pick<Library, "session" | "exportStream"> = {
    // What a link leads to.
    session: async (path) => ({ path: path.replace("/link/", "/s/"), title: "Tides" }) as SessionRecord,
    async exportStream(options) {
      exported.push(options);
      const chunks = (async function* () {
        await meanwhile();
        yield Buffer.from(`page of ${options.path}`);
      })();
      return { file_name: "tides.html", media_type: "text/html", chunks };
    },
  };
  const usual = { bind_addr: "127.0.0.1", allowed_hosts: [], allowed_origins: [], sharing: { enabled: true } };
  return createShares({
    config: { ...usual, ...PROXIED, ...config },
    dataDir,
    library,
    serviceUrl: () => "http://127.0.0.1:52131",
    log: { info: say, warn: say, error: say },
  });
}

const secretIn = (url: string) => url.slice(url.lastIndexOf("/") + 1);

describe("problem", () => {
  it.each<[what: string, config: Partial<SharesOptions["config"]>, problem: string | null]>([
    ["behind a proxy", {}, null],
    ["on an address of its own", { bind_addr: "100.64.0.7", allowed_hosts: [] }, null],
    ["switched off", { sharing: { enabled: false } }, "off"],
    ["on loopback", { allowed_hosts: [] }, "loopback"],
    ["switched off, on loopback", { sharing: { enabled: false }, allowed_hosts: [] }, "off"],
  ])("%s", async (_, config, problem) => {
    const shares = open(config);
    expect(shares.problem()).toBe(problem);
    const refusal = await shares.checkAvailable().catch((error: unknown) => error);
    if (problem === null) expect(refusal).toBeUndefined();
    else {
      expect(refusal).toMatchObject({ code: "UNAVAILABLE" });
      expect(String(refusal)).toContain(problem === "off" ? '"sharing": {"enabled": true}' : '"allowed_hosts"');
    }
  });
});

describe("create", () => {
  it("makes a redacted page, and tells its link this once", async () => {
    const shares = open();
    const words = { redact_words: ["Ada"] };
    const { url, ...record } = await shares.create({ path: "/link/a.jsonl", ...ALL, leaf_id: "b5", ...words });
    expect(url).toMatch(/^https:\/\/sessions\.example\.org\/share\/[\w-]{43}$/);
    expect(exported).toEqual([{ path: PATH, ...ALL, leaf_id: "b5", ...words, format: "html", redact: true }]);
    expect(record).toMatchObject({
      session_path: PATH,
      title: "Tides",
      created_at: "2026-03-01T12:00:00.000Z",
      expires_at: "2026-03-08T12:00:00.000Z",
    });
    expect(await shares.list()).toEqual([record]);
    const page = await shares.open(secretIn(url));
    expect(page === null ? null : await text(page.chunks)).toBe(`page of ${PATH}`);
  });

  it("is in the log, without what opens it", async () => {
    const shares = open();
    const { id, url } = await shares.create({ path: PATH, ...ALL }, { client: "token 1" });
    await shares.revoke(id);
    expect(logged).toEqual([expect.stringMatching(/shared.*"token 1"/), expect.stringContaining("revoked")]);
    expect(logged.join()).toContain(id);
    expect(logged.join()).not.toContain(secretIn(url));
  });

  it.each([
    [1, true],
    [90 * DAY_MS, true],
    [0, false],
    [-1, false],
    [90 * DAY_MS + 1, false],
  ])("lets a link end in %i ms: %s", async (ms, isAllowed) => {
    const expires_at = new Date(NOW + ms).toISOString();
    const created = open().create({ path: PATH, ...ALL, expires_at });
    if (isAllowed) expect(await created).toMatchObject({ expires_at });
    else await expect(created).rejects.toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: "expires_at" }] });
  });
});

describe("list", () => {
  it("can be of one session", async () => {
    const shares = open();
    await shares.create({ path: PATH, ...ALL });
    const other = await shares.create({ path: "/s/b.jsonl", ...ALL });
    expect((await shares.list("/s/b.jsonl")).map(({ id }) => id)).toEqual([other.id]);
    expect(await shares.list("/s/c.jsonl")).toEqual([]);
    expect(await shares.list()).toHaveLength(2);
  });
});

describe("the end of a link", () => {
  it("comes when it is revoked", async () => {
    const shares = open();
    const { id, url } = await shares.create({ path: PATH, ...ALL });
    expect(await shares.revoke(id)).toEqual({ id, revoked: true });
    expect(await shares.open(secretIn(url))).toBeNull();
    await expect(shares.revoke(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("does not repeat a link that was given in place of its id", async () => {
    const shares = open();
    const { url } = await shares.create({ path: PATH, ...ALL });
    const error = await shares.revoke(secretIn(url)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect(String(error)).not.toContain(secretIn(url));
  });

  it("comes when it expires, whose page is removed within an hour", async () => {
    const shares = open();
    shares.watchExpiry();
    const { id, url } = await shares.create({ path: PATH, ...ALL, expires_at: new Date(NOW + 1_000).toISOString() });
    vi.setSystemTime(NOW + 1_000);
    expect(await shares.open(secretIn(url))).toBeNull();
    expect(await shares.list()).toEqual([]);
    vi.advanceTimersByTime(3_600_000);
    await vi.waitFor(() => expect(logged.join()).toContain(`expired; its page is removed. {"share":"${id}"}`));
    shares.close();
  });

  it("comes when its session is deleted", async () => {
    const shares = open();
    const { url } = await shares.create({ path: PATH, ...ALL });
    const kept = await shares.create({ path: "/s/b.jsonl", ...ALL });
    await shares.sessionsDeleted([PATH, "/s/never-shared.jsonl"]);
    expect(await shares.open(secretIn(url))).toBeNull();
    expect((await shares.list()).map(({ id }) => id)).toEqual([kept.id]);
  });

  it("comes before it is told where its session is deleted meanwhile", async () => {
    let deleted = async () => {};
    const shares = open({}, () => deleted());
    deleted = () => shares.sessionsDeleted([PATH]);
    await expect(shares.create({ path: PATH, ...ALL })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await shares.list()).toEqual([]);
    expect(await shares.create({ path: "/s/b.jsonl", ...ALL })).toMatchObject({ session_path: "/s/b.jsonl" });
  });

  it("comes when sharing is switched off, and is taken back with it", async () => {
    const { url } = await open().create({ path: PATH, ...ALL });
    const off = open({ sharing: { enabled: false } });
    expect(await off.open(secretIn(url))).toBeNull();
    expect(await off.look(secretIn(url))).toBeNull();
    expect(await off.list()).toHaveLength(1);
    expect(await open().look(secretIn(url))).not.toBeNull();
  });
});
