import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { needsPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startHub, type TestHub } from "./hub.fixture.ts";
import { HubSending } from "./hub-sending.ts";
import { message, TestMachine } from "./machine.fixture.ts";

const WAITING = { timeout: 20_000, interval: 10 };
const log = { info: () => {}, warn: () => {}, error: () => {} };

describe.runIf(needsPostgres())("a machine that a hub refuses", () => {
  let hub: TestHub;

  beforeAll(async () => {
    hub = await startHub();
  });
  beforeEach(() => hub.newUser());
  afterAll(() => hub.close());

  it.each([
    ["a token that only reads", () => hub.newUser("read"), /refuses the token.*full access/],
    ["a wrong token", async () => writeFileSync(hub.tokenFile, "sm_wrong"), /refuses the token/],
    ["no token", async () => writeFileSync(hub.tokenFile, ""), /does not contain a token/],
    [
      "a service that is no hub",
      async () => {
        await hub.stop();
        await hub.start(false);
      },
      /there is no hub.*PostgreSQL/,
    ],
    ["no service", () => hub.stop(), /does not answer/],
  ])("with %s says so, and sends everything afterwards", async (_name, breakIt, problem) => {
    await breakIt();
    await using machine = new TestMachine(hub);
    const path = machine.session("one.jsonl", { text: message("hello") });
    await machine.start();
    await expect.poll(() => machine.sender.progress.problem ?? "", WAITING).toMatch(problem);
    expect(await hub.count("session_files")).toBe(0);
    await hub.stop();
    await hub.newUser();
    await hub.start();
    const id = await machine.machineId();
    await expect.poll(async () => (await hub.contentOf(id, path)) !== null, WAITING).toBe(true);
    await expect.poll(() => machine.sender.progress.problem, WAITING).toBeNull();
    // Told when it begins, and not at each attempt.
    const told = machine.log.filter((line) => problem.test(line)).length;
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(4);
  });

  it("tells its state, and sends nothing when the configuration names no hub", async () => {
    await using machine = new TestMachine(hub);
    const path = machine.session("one.jsonl", { text: message("hello") });
    await machine.start();
    await machine.sender.close();
    const sending = new HubSending({ outbox: machine.library.outbox, log });
    sending.configure(null);
    expect(await sending.status()).toMatchObject({ state: "off", url: null, machine_id: null });
    const places = { url: hub.url, token_file: hub.tokenFile };
    sending.configure({ ...places, projects: null, formats: null, redact: false, redact_words: [] });
    const sent = { state: "sent", url: hub.url, files: 1, pending: 0, redact: false, problems: [] };
    await expect.poll(() => sending.status(), WAITING).toMatchObject(sent);
    const status = await sending.status();
    expect(await hub.contentOf(status.machine_id ?? "", path)).not.toBeNull();
    sending.configure(null);
    machine.append(path, message("after"));
    await machine.library.ready();
    expect(await sending.status()).toMatchObject({ state: "off" });
    sending.configure({
      ...places,
      token_file: join(machine.directory, "missing"),
      projects: null,
      formats: null,
      redact: false,
      redact_words: [],
    });
    await expect.poll(async () => (await sending.status()).state, WAITING).toBe("waiting");
    expect((await sending.status()).problems[0]).toMatch(/cannot be read from .*missing \(ENOENT\)/);
    await sending.close();
  });

  it("keeps no more in memory than a batch, however slow the hub is", async () => {
    await using machine = new TestMachine(hub);
    machine.session("one.jsonl", { text: message("x".repeat(100)).repeat(300_000) });
    hub.wire.slowness = 20;
    await machine.start();
    await machine.library.ready();
    let most = 0;
    for (const end = Date.now() + 3_000; Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const inTransit = hub.received.length - machine.sender.progress.batches;
      most = Math.max(most, inTransit);
    }
    hub.wire.slowness = 0;
    expect(hub.received.length).toBeGreaterThan(1);
    // One that the hub works on, and nothing behind it.
    expect(most).toBeLessThanOrEqual(1);
    for (const { bytes } of hub.received) {
      expect(bytes.reduce((sum, one) => sum + one.length, 0)).toBeLessThanOrEqual(2 * 1024 * 1024 + 64 * 1024);
    }
  });
});
