import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { needsPostgres } from "@sm/store-postgres/postgres-server.fixture";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startHub, type TestHub } from "./hub.fixture.ts";
import { header, message, TestMachine } from "./machine.fixture.ts";

const WAITING = { timeout: 20_000, interval: 10 };

describe.runIf(needsPostgres())("a machine sends its sessions to a hub", () => {
  let hub: TestHub;

  beforeAll(async () => {
    hub = await startHub();
  });
  beforeEach(() => hub.newUser());
  afterAll(() => hub.close());

  /** Resolves when the hub has exactly what is on the disk. */
  async function arrived(machine: TestMachine, ...paths: string[]): Promise<void> {
    const id = await machine.machineId();
    for (const path of paths) {
      const wanted = readFileSync(path);
      await expect
        .poll(async () => (await hub.contentOf(id, path))?.equals(wanted) ?? false, { ...WAITING, message: path })
        .toBe(true);
    }
  }

  it("with what belongs to them, and then each line that is appended", async () => {
    await using machine = new TestMachine(hub);
    const path = machine.session("a/one.jsonl", { text: message("hello") });
    const large = machine.session("a/large.jsonl", { text: message("long ".repeat(1_000_000)) });
    await machine.start();
    await arrived(machine, path, large);
    machine.append(path, message("more"));
    await arrived(machine, path);
    machine.append(path, '{"type":"mess');
    machine.append(large, message("and more"));
    await arrived(machine, path, large);
    expect(await hub.count("generations")).toBe(2);
  });

  it("in another state where they were rewritten, also in their middle", async () => {
    await using machine = new TestMachine(hub);
    const lines = Array.from({ length: 2_000 }, (_, number) => message(`line ${number} ${"x".repeat(200)}`));
    const path = machine.session("one.jsonl", { text: lines.join("") });
    await machine.start();
    await arrived(machine, path);
    lines[1_000] = (lines[1_000] ?? "").replace("xxx", "yyy");
    rmSync(path);
    machine.session("one.jsonl", { text: lines.join("") + message("more") });
    await arrived(machine, path);
    writeFileSync(path, header("session-1"));
    await arrived(machine, path);
  });

  it("each line for less than 4 KB", async () => {
    await using machine = new TestMachine(hub);
    const path = machine.session("one.jsonl");
    await machine.start();
    await arrived(machine, path);
    for (let line = 0; line < 5; line++) {
      const before = hub.wire.bytes;
      const added = message(`line ${line}`);
      machine.append(path, added);
      await arrived(machine, path);
      expect(hub.wire.bytes - before).toBeLessThan(4_096 + added.length);
    }
    expect(hub.wire.connections).toBeLessThan(20);
  });

  it("in another state where they were rewritten since an answer was lost", async () => {
    await using machine = new TestMachine(hub);
    const path = machine.session("one.jsonl", { text: message("first") });
    await machine.start();
    await arrived(machine, path);
    const before = readFileSync(path, "utf8");
    hub.wire.losesAnswers = true;
    machine.append(path, message("the hub has this, and the machine does not know"));
    await arrived(machine, path);
    // As far as the hub has said, this is the same file, with more lines.
    writeFileSync(path, before + message("this was written in its place, and it is longer than that"));
    await delay(300);
    hub.wire.losesAnswers = false;
    await arrived(machine, path);
  });

  it("to another user of it anew, or after it was restored", async () => {
    await using machine = new TestMachine(hub);
    const paths = ["one.jsonl", "two.jsonl"].map((name) => machine.session(name, { text: lines(100_000) }));
    await machine.start();
    await arrived(machine, ...paths);
    await hub.newUser();
    machine.library.outbox.settings = null;
    machine.library.outbox.settings = machine.settings;
    await arrived(machine, ...paths);
  });

  it("all of what is appended, however much", async () => {
    await using machine = new TestMachine(hub);
    const path = machine.session("one.jsonl");
    await machine.start();
    await arrived(machine, path);
    machine.append(path, lines(7_000_000));
    await arrived(machine, path);
  });

  it("without secrets, if it is to redact", async () => {
    await using machine = new TestMachine(hub);
    const secret = `ghp_${"A1b2C3d4E5".repeat(4).slice(0, 36)}`;
    machine.settings = { projects: null, formats: null, redaction: { words: ["Acme", "user"] } };
    hub.wire.keepsSent = true;
    const said = (number: number) =>
      message(`${number}: the token of Acme is ${secret}, write to jane.roe@example.com`);
    const path = machine.session("one.jsonl", { text: said(1) + message(`${"long ".repeat(100_000)} ${secret}`) });
    await machine.start();
    const id = await machine.machineId();
    const linesThere = async () => ((await hub.contentOf(id, path))?.toString() ?? "").split("\n");
    await expect.poll(async () => (await linesThere()).length, WAITING).toBe(4);
    const before = await hub.files.current(id, path);
    for (let number = 2; number < 6; number++) {
      machine.append(path, said(number).slice(0, 100));
      await delay(50);
      machine.append(path, message("").slice(0, 0) + said(number).slice(100));
    }
    await machine.stop();
    await machine.start();
    machine.append(path, said(6));
    await expect.poll(async () => (await linesThere()).length, WAITING).toBe(9);
    expect(await hub.files.current(id, path)).toMatchObject({ generation: before?.generation });
    const there = await linesThere();
    for (const line of there.filter((one) => one !== "")) {
      expect(JSON.parse(line)).toBeTypeOf("object");
      for (const hidden of [secret, "Acme", "jane.roe"]) expect(line).not.toContain(hidden);
    }
    expect(there[1]).toContain('"role":"user"');
    const token = /\[redacted:github-token-\d+\]/;
    expect(token.exec(there[1] ?? "")?.[0]).toBe(token.exec(there[7] ?? "")?.[0]);
    for (const { bytes, frames } of hub.received) {
      const all = Buffer.concat(bytes).toString("latin1") + JSON.stringify(frames);
      for (const hidden of [secret, "Acme", "jane.roe"]) expect(all).not.toContain(hidden);
    }
  });

  it("whatever is written, and wherever the connection, the machine or the hub breaks off", async () => {
    const file = fc.nat({ max: 2 });
    const bytes = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 100_000 }), fc.nat({ max: 3_000_000 }));
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ does: fc.constant("append" as const), file, bytes }) },
      { weight: 2, arbitrary: fc.record({ does: fc.constant("rewrite" as const), file, bytes }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant("replace" as const), file, bytes }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant("truncate" as const), file, bytes }) },
      { weight: 3, arbitrary: fc.record({ does: fc.constant("cut" as const), file, bytes }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant("restart" as const), file, bytes }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant("hub" as const), file, bytes }) },
      { weight: 2, arbitrary: fc.record({ does: fc.constant("wait" as const), file, bytes: fc.nat({ max: 400 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await hub.newUser();
        await using machine = new TestMachine(hub);
        const paths = ["a.jsonl", "b/b.jsonl", "b/c.jsonl"].map((name) => machine.session(name));
        await machine.start();
        for (const { does, file, bytes } of steps) {
          const path = paths[file] ?? "";
          if (does === "append") machine.append(path, lines(bytes));
          else if (does === "rewrite") writeFileSync(path, firstLine(path) + lines(bytes));
          else if (does === "truncate") {
            const lines = readFileSync(path, "utf8").split("\n");
            writeFileSync(path, `${lines.slice(0, 1 + (bytes % lines.length)).join("\n")}\n`);
          } else if (does === "replace") {
            writeFileSync(`${path}.new`, readFileSync(path, "utf8").replace(/word[0-4]/g, "other") + lines(bytes));
            renameSync(`${path}.new`, path);
          } else if (does === "cut") hub.wire.breaksAfter = bytes;
          else if (does === "wait") await delay(bytes);
          else if (does === "restart") {
            await machine.stop();
            await machine.start();
          } else {
            await hub.stop();
            await hub.start();
          }
        }
        hub.wire.breaksAfter = null;
        await arrived(machine, ...paths);
        await expect.poll(async () => (await machine.library.outbox.status()).pending, WAITING).toBe(0);
        expect((await machine.library.outbox.status()).problems).toEqual([]);
        expect(await hub.count("session_files")).toBe(paths.length);
      }),
      { numRuns: 12 },
    );
  }, 300_000);
});

let seed = 0;

/** So many bytes, or few more, in lines of some hundred. */
function lines(bytes: number): string {
  let text = "";
  while (text.length < bytes) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    text += message(`word${seed % 10} `.repeat(1 + (seed % 97)));
  }
  return text;
}

function firstLine(path: string): string {
  return `${readFileSync(path, "utf8").split("\n", 1)[0]}\n`;
}
