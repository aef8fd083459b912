import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import type { LiveSession, LiveState, TokenRecord } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPush, type Push } from "./push.ts";
import { createPushSender, type PushSender } from "./push-sender.ts";
import { createBrowser, openPushService, verifySignature } from "./push-service.fixture.ts";
import { MAX_DEVICES, PushStore } from "./push-store.ts";

const OUTCOME = { result: "finished", error: null, exit_code: null, ended_at: "2026-03-01T10:00:00.000Z" } as const;

let dataDir: string;
let service: Awaited<ReturnType<typeof openPushService>>;
let push: Push;
let sender: PushSender;
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

function open(options: { timeoutMs?: number } = {}): Push {
  sender = createPushSender({ ...service.sending, ...options });
  return createPush({
    dataDir,
    tokens: { list: async () => tokens as TokenRecord[] },
    sessions: async () => sessions as LiveSession[],
    library: { session: async (path) => ({ title: `Title of ${path}` }) as never },
    sender,
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

/** As many devices as there may be. */
async function fillWith(token_id: string | null): Promise<void> {
  await push.status();
  const path = join(dataDir, "push.json");
  const file = JSON.parse(await readFile(path, "utf8"));
  const { p256dh, auth } = createBrowser();
  const one = { name: "n", created_at: "2026-01-01T00:00:00Z", endpoint: "https://a.example.org", p256dh, auth };
  file.devices = Array.from({ length: MAX_DEVICES }, (_, index) => ({ ...one, id: `${index}`, token_id }));
  await writeFile(path, JSON.stringify(file));
}

/** Goes on until the connection has ended. */
function repeatedly(response: ServerResponse, action: () => unknown): void {
  const timer = setInterval(action, 20);
  response.on("close", () => clearInterval(timer));
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
    ["a question in the root", ["waiting"], { state: "waiting", cwd: "/" }, { news: "asks", title: "/", text: null }],
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

describe("a push service", () => {
  const asking = { state: "waiting", name: "Tides" } as const;
  /** So that a request ends only if it is ended. */
  const UNHURRIED = { timeoutMs: 3_600_000 };

  it.each<[what: string, answer: (response: ServerResponse) => unknown]>([
    ["never answers", () => undefined],
    [
      "has more and more to say before it answers",
      (response) => repeatedly(response, () => response.writeProcessing()),
    ],
    [
      "sends one byte of its answer after the other",
      (response) => repeatedly(response, () => response.socket?.write("H")),
    ],
  ])("that %s is given up", async (_, answer) => {
    push.close();
    push = open({ timeoutMs: 300 });
    await addBrowser("phone");
    service.answerWith(answer);
    await change(["waiting"], asking, 1);
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce(), PATIENT);
    expect((await push.status()).devices).toHaveLength(1);
  });

  it("that wants another protocol has not answered", async () => {
    await addBrowser("phone");
    service.answerWith((response) => response.writeHead(101, { connection: "Upgrade", upgrade: "other" }).end());
    await change(["waiting"], asking, 1);
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce(), PATIENT);
  });

  it("that answers without end, or that it has moved, is read no further than its status", async () => {
    push.close();
    push = open(UNHURRIED);
    await addBrowser("phone");
    const ended = vi.fn();
    service.answerWith((response) => {
      response.on("close", ended);
      repeatedly(response.writeHead(201), () => response.write("x".repeat(1_000)));
    });
    await change(["waiting"], asking, 1);
    await vi.waitFor(() => expect(ended).toHaveBeenCalled(), PATIENT);
    service.answerWith((response) => response.writeHead(307, { location: `${service.url}elsewhere` }).end());
    push.stateChanged("s1", "streaming");
    push.stateChanged("s1", "waiting");
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce(), PATIENT);
    expect(service.received.map(({ path }) => path)).toEqual(["/send/phone", "/send/phone"]);
  });

  it("does not keep the process once notifications are closed, which send no more", async () => {
    push.close();
    push = open(UNHURRIED);
    const { p256dh, auth } = await addBrowser("phone");
    const ended = vi.fn();
    service.answerWith((response) => response.on("close", ended));
    await change(["waiting"], asking, 1);
    push.close();
    await vi.waitFor(() => expect(ended).toHaveBeenCalled(), PATIENT);
    const device = { endpoint: `${service.url}phone`, p256dh, auth };
    const keys = await new PushStore(dataDir, () => Promise.reject(new Error("There are some."))).keys();
    const message = { payload: "{}", topic: "t", urgency: "normal" } as const;
    await expect(sender.send(device, keys, message)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    push.stateChanged("s1", "streaming");
    push.stateChanged("s1", "waiting");
    expect(service.received).toHaveLength(1);
    expect(log.warn).not.toHaveBeenCalled();
  });
});

describe("two services of one directory", () => {
  it("that need keys at the same time have the same", async () => {
    const other = open();
    const [one, two] = await Promise.all([push.status(), other.status()]);
    expect(one.public_key).toBe(two.public_key);
    other.close();
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

  it("stays if it is added again, with a new token, while that of before is found to have ended", async () => {
    await addBrowser("phone", "phone");
    tokens = [];
    const { p256dh, auth } = createBrowser();
    const other = createPush({
      dataDir,
      tokens: {
        async list() {
          const listed = [...tokens];
          tokens = [{ id: "new", expires_at: null }];
          await push.add({ name: "new", endpoint: `${service.url}phone`, p256dh, auth }, "new");
          return listed as TokenRecord[];
        },
      },
      sessions: async () => [],
      library: { session: async () => null as never },
      sender,
      log,
    });
    await other.status();
    expect((await push.status()).devices.map(({ name }) => name)).toEqual(["new"]);
    other.close();
  });

  it("takes the place of one whose token has ended", async () => {
    await fillWith("gone");
    await addBrowser("phone");
    expect((await push.status()).devices.map(({ name }) => name)).toEqual(["phone"]);
  });

  it.runIf(process.platform !== "win32")("has its secrets to itself in a file that was copied back", async () => {
    await push.status();
    await chmod(join(dataDir, "push.json"), 0o644);
    await addBrowser("phone");
    expect((await stat(join(dataDir, "push.json"))).mode & 0o777).toBe(0o600);
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
    await fillWith(null);
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

  it.each(['{"private_key":c2VjcmV0', '{"private_key":"c2VjcmV0"}'])(
    "has no secret in the error of a damaged file: %s",
    async (damaged) => {
      await writeFile(join(dataDir, "push.json"), damaged);
      const error = await push.status().catch((reason: Error) => reason);
      expect(inspect(error)).toContain("Remove it");
      expect(inspect(error, { depth: null })).not.toContain("c2VjcmV0");
    },
  );
});
