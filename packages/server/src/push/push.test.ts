import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiveSession, LiveState, TokenRecord } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPush, type Push } from "./push.ts";
import { createPushSender } from "./push-sender.ts";
import { createBrowser, openPushService, verifySignature } from "./push-service.fixture.ts";
import { MAX_DEVICES } from "./push-store.ts";

const OUTCOME = { result: "finished", error: null, exit_code: null, ended_at: "2026-03-01T10:00:00.000Z" } as const;

let dataDir: string;
let service: Awaited<ReturnType<typeof openPushService>>;
let push: Push;
let tokens: Pick<TokenRecord, "id" | "expires_at">[];
let sessions: Partial<LiveSession>[];
/** The first message loads what encrypts it. */
const PATIENT = { timeout: 30_000, interval: 10 };
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "push-"));
  service = await openPushService();
  tokens = [{ id: "phone", expires_at: null }];
  sessions = [];
  push = open();
  log.info.mockClear();
  log.warn.mockClear();
});

afterEach(async () => {
  push.close();
  await service.close();
  await rm(dataDir, { recursive: true });
});

function open(): Push {
  return createPush({
    dataDir,
    tokens: { list: async () => tokens as TokenRecord[] },
    sessions: async () => sessions as LiveSession[],
    library: { session: async (path) => ({ title: `Title of ${path}` }) as never },
    send: createPushSender(service.sending),
    log,
    delayMs: 0,
  });
}

async function addBrowser(name: string, tokenId: string | null = null) {
  const browser = createBrowser();
  const { p256dh, auth } = browser;
  const device = await push.add({ name, endpoint: `${service.url}${name}`, p256dh, auth }, tokenId);
  // It is told so.
  await vi.waitFor(() => expect(service.received).toHaveLength(1), PATIENT);
  const [first] = service.received.splice(0);
  return { ...browser, id: device.id, first };
}

/** Changes the state of an agent and waits for `count` messages. */
async function change(states: LiveState[], session: Partial<LiveSession>, count: number): Promise<void> {
  sessions = [{ session_id: "s1", session_path: null, cwd: "/home/me/tides", name: null, question: null, ...session }];
  for (const state of states) push.stateChanged("s1", state);
  await vi.waitFor(() => expect(service.received).toHaveLength(count), PATIENT);
}

describe("a notice", () => {
  it("is encrypted for its browser and signed with the key that it subscribed with", async () => {
    const browser = await addBrowser("phone");
    const question = { kind: "confirm", title: "Delete the table?", asked_at: OUTCOME.ended_at } as const;
    await change(["streaming", "waiting"], { state: "waiting", name: "Tides", question }, 1);
    const [message] = service.received;
    expect(message?.path).toBe("/send/phone");
    expect(message?.body.includes("Tides")).toBe(false);
    expect(JSON.parse(browser.decrypt(message?.body ?? Buffer.of()))).toEqual({
      news: "asks",
      session_id: "s1",
      title: "Tides",
      text: "Delete the table?",
    });
    const { public_key } = await push.status();
    const claims = verifySignature(String(message?.headers.authorization), public_key);
    expect(claims.aud).toBe(new URL(service.url).origin);
    expect(claims.sub).toMatch(/^https:/);
    expect(message?.headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high" });
    expect(message?.headers.topic).toMatch(/^[\w-]{32}$/);
    expect(Number(message?.headers.ttl)).toBeGreaterThan(0);
  });

  it.each<[what: string, states: LiveState[], session: Partial<LiveSession>, notice: object]>([
    [
      "an end, by its stored title",
      ["streaming", "idle"],
      { state: "idle", session_path: "/s.jsonl", outcome: OUTCOME },
      { news: "finished", title: "Title of /s.jsonl", text: null },
    ],
    [
      "a failure",
      ["streaming", "idle"],
      { state: "idle", outcome: { ...OUTCOME, result: "failed", error: "No credit" } },
      { news: "failed", title: "tides", text: "No credit" },
    ],
    ["an exit", ["streaming", "exited"], { state: "exited", outcome: OUTCOME }, { news: "ended", title: "tides" }],
  ])("tells of %s", async (_, states, session, notice) => {
    const browser = await addBrowser("phone");
    await change(states, session, 1);
    expect(JSON.parse(browser.decrypt(service.received[0]?.body ?? Buffer.of()))).toMatchObject(notice);
  });

  it.each<[what: string, states: LiveState[], session: Partial<LiveSession>]>([
    ["a question that was answered at once", ["streaming", "waiting", "streaming"], { state: "streaming" }],
    [
      "a run that its user has stopped",
      ["streaming", "idle"],
      { state: "idle", outcome: { ...OUTCOME, result: "aborted" } },
    ],
    ["an agent that goes on meanwhile", ["streaming", "idle"], { state: "streaming", outcome: null }],
    ["a prompt", ["streaming"], { state: "streaming" }],
  ])("is not sent for %s", async (_, states, session) => {
    await addBrowser("phone");
    await change(states, session, 0);
    // Another agent's comes after whatever this one could have sent.
    sessions = [...sessions, { session_id: "s2", state: "waiting", cwd: "/a", name: "Other", session_path: null }];
    push.stateChanged("s2", "waiting");
    await vi.waitFor(() => expect(service.received.length).toBeGreaterThan(0), PATIENT);
    expect(service.received).toHaveLength(1);
    expect(service.received[0]?.headers.urgency).toBe("high");
  });

  it("reaches the others when one browser is gone or its service fails", async () => {
    await addBrowser("phone");
    service.answerWith(410);
    await change(["streaming", "waiting"], { state: "waiting", name: "Tides" }, 1);
    await vi.waitFor(async () => expect((await push.status()).devices).toEqual([]), PATIENT);
    service.answerWith(201);
    service.received.splice(0);
    await addBrowser("tablet");
    service.answerWith(503);
    push.stateChanged("s1", "streaming");
    push.stateChanged("s1", "waiting");
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce(), PATIENT);
    expect((await push.status()).devices).toHaveLength(1);
  });
});

describe("a device", () => {
  it("is kept with the key, for its account only, and again replaces itself", async () => {
    const first = await addBrowser("phone");
    const { public_key, devices } = await push.status();
    expect(devices).toEqual([{ id: first.id, name: "phone", created_at: expect.any(String) }]);
    const again = await addBrowser("phone");
    expect(again.id).toBe(first.id);
    push.close();
    push = open();
    expect(await push.status()).toMatchObject({ public_key, devices: [{ id: first.id }] });
    if (process.platform !== "win32") {
      expect((await stat(join(dataDir, "push.json"))).mode & 0o777).toBe(0o600);
    }
    expect(JSON.stringify(devices)).not.toContain("push.example.org");
  });

  it("gets no more once the token that it was added with has ended", async () => {
    const local = await addBrowser("local");
    const phone = await addBrowser("phone", "phone");
    expect((await push.status()).devices.map(({ id }) => id)).toEqual([phone.id, local.id]);
    tokens = [{ id: "phone", expires_at: "2026-01-01T00:00:00.000Z" }];
    await change(["streaming", "waiting"], { state: "waiting", name: "Tides" }, 1);
    expect(service.received.map(({ path }) => path)).toEqual(["/send/local"]);
    expect(await readFile(join(dataDir, "push.json"), "utf8")).not.toContain(phone.id);
  });

  it("is told that it was added, and can be removed", async () => {
    const { id, decrypt, first } = await addBrowser("phone");
    expect(JSON.parse(decrypt(first?.body ?? Buffer.of()))).toMatchObject({ news: "added", session_id: null });
    expect(await push.remove(id)).toEqual({ id, removed: true });
    await expect(push.remove(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each<[what: string, change: { endpoint?: string; p256dh?: string; auth?: string }, path: string]>([
    ["HTTP", { endpoint: "http://push.example.org/1" }, "endpoint"],
    ["no URL", { endpoint: "push" }, "endpoint"],
    ["this machine", { endpoint: "https://127.0.0.1/1" }, "endpoint"],
    ["this machine by IPv6", { endpoint: "https://[::1]/1" }, "endpoint"],
    ["this machine by a mapped address", { endpoint: "https://[::ffff:127.0.0.1]/1" }, "endpoint"],
    ["a name of this network", { endpoint: "https://router/1" }, "endpoint"],
    ["a private address", { endpoint: "https://192.168.0.1/1" }, "endpoint"],
    ["a number for an address", { endpoint: "https://2130706433/1" }, "endpoint"],
    ["a password", { endpoint: "https://a:b@push.example.org/1" }, "endpoint"],
    ["a short key", { p256dh: "BAAA" }, "p256dh"],
    ["no point", { p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString("base64url") }, "p256dh"],
    ["a short secret", { auth: "AAAA" }, "auth"],
  ])("is refused with %s", async (_, wrong, path) => {
    const { p256dh, auth } = createBrowser();
    const added = push.add({ name: "n", endpoint: `${service.url}a`, p256dh, auth, ...wrong }, null);
    await expect(added).rejects.toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path }] });
  });

  it(`is one of ${MAX_DEVICES} at most`, async () => {
    await push.status();
    const path = join(dataDir, "push.json");
    const file = JSON.parse(await readFile(path, "utf8"));
    const { p256dh, auth } = createBrowser();
    const one = { name: "n", created_at: "2026-01-01T00:00:00Z", endpoint: "https://a.example.org", p256dh, auth };
    file.devices = Array.from({ length: MAX_DEVICES }, (_, index) => ({ ...one, id: `${index}`, token_id: null }));
    await writeFile(path, JSON.stringify(file));
    await expect(addBrowser("phone")).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("is not forgotten silently where the file is damaged", async () => {
    await addBrowser("phone");
    await writeFile(join(dataDir, "push.json"), "{");
    await expect(push.status()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("Remove it"),
    });
    await expect(addBrowser("tablet")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await readFile(join(dataDir, "push.json"), "utf8")).toBe("{");
  });
});
