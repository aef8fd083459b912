import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleScript, WORKER_FILE } from "./script.fixture.ts";

// Large answers to many at once, of a service that has little memory: what they may have together is what bounds it.

const MEBIBYTE = 1_048_576;
/** Of V8 in each thread; answers are held outside of it. */
const HEAP_MEBIBYTES = 192;
const ANSWER_BYTES = 64 * MEBIBYTE;
const SESSION_BYTES = 28 * MEBIBYTE;
/** What the process may have at most, code, threads and the index included: it has 360 and, without the budget, 680. */
const MAX_MEBIBYTES = 500;

let folder: string;
let service: ChildProcess;
let url: string;
let path: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-large-")));
  const sessions = join(folder, "agent", "sessions", "p");
  await mkdir(sessions, { recursive: true });
  path = join(sessions, "large.jsonl");
  await writeSession();
  const config = { http_port: 0, log_level: "warn", limits: { answer_bytes: ANSWER_BYTES } };
  await writeFile(join(folder, "session-manager.json"), JSON.stringify(config));
  const script = join(folder, "service.mjs");
  await bundleScript(join(import.meta.dirname, "service.fixture.ts"), script);
  await symlink(WORKER_FILE, join(folder, "worker.js"));
  service = spawn(process.execPath, [`--max-old-space-size=${HEAP_MEBIBYTES}`, script, folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, HOME: folder },
  });
  const [line] = await once(createInterface({ input: service.stdout as NodeJS.ReadableStream }), "line");
  url = line;
}, 60_000);

afterAll(async () => {
  if (service.exitCode === null && service.signalCode === null) {
    service.kill("SIGKILL");
    await once(service, "close");
  }
  await rm(folder, { recursive: true });
});

async function writeSession(): Promise<void> {
  const timestamp = "2026-01-01T00:00:00.000Z";
  const line = (entry: object) => `${JSON.stringify(entry)}\n`;
  await writeFile(path, line({ type: "session", version: 3, id: "large", timestamp, cwd: "/p" }));
  const content = "what a session is full of ".repeat(4_000);
  const count = Math.ceil(SESSION_BYTES / content.length);
  const lines = Array.from({ length: count }, (_, n) =>
    line({
      type: "message",
      id: `e${n}`,
      parentId: n === 0 ? null : `e${n - 1}`,
      timestamp,
      message: { role: "user", content: `${n} ${content}` },
    }),
  );
  await appendFile(path, lines.join(""));
}

/** What a client has got: a digest of all, and the beginning. */
interface Answer {
  status: number;
  retryAfter: string | undefined;
  digest: string;
  text: string;
}

const SHORT = 10_000;

/** Sends a command; a slow client reads a piece only now and then. */
function ask(body: object, headers: Record<string, string> = {}, isSlow = false): Promise<Answer> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const type = { "Content-Type": "application/json", "Content-Length": text.length };
    const options = { method: "POST", agent: false, headers: { ...type, ...headers } };
    const outgoing = request(`${url}/api`, options, async (incoming) => {
      try {
        const hash = createHash("sha256");
        let start = "";
        for await (const piece of incoming as AsyncIterable<Buffer>) {
          hash.update(piece);
          if (start.length < SHORT) start += piece.toString("latin1");
          if (isSlow) await delay(1);
        }
        const retryAfter = incoming.headers["retry-after"];
        resolve({ status: incoming.statusCode ?? 0, retryAfter, digest: hash.digest("hex"), text: start });
      } catch (error) {
        reject(error);
      }
    });
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

/** Megabytes that the process has had at most, `null` where the system does not tell. */
async function peakMebibytes(): Promise<number | null> {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8").catch(() => "");
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) / 1024;
}

it("60 clients at once, slow and quick, with a token that may read → right bytes or UNAVAILABLE", {
  timeout: 120_000,
}, async () => {
  const { data } = JSON.parse((await ask({ command: "create_token", payload: { name: "wall", scope: "read" } })).text);
  const remote = { "X-Forwarded-For": "203.0.113.7", Authorization: `Bearer ${data.token}` };
  const commands = [
    { command: "read_session_file", payload: { path } },
    { command: "read_session_entries", payload: { path } },
    { command: "export_session", payload: { path, format: "markdown" } },
    { command: "read_session_entries", payload: { path, after: "e9" } },
  ];
  const right: string[] = [];
  for (const command of commands) {
    const { status, digest } = await ask(command);
    expect(status).toBe(200);
    right.push(digest);
  }
  const answers = Array.from({ length: 60 }, async (_, n) => {
    const answer = await ask(commands[n % commands.length] ?? {}, remote, n % 2 === 0);
    if (answer.status === 200) {
      expect(answer.digest).toBe(right[n % commands.length]);
      return "right";
    }
    expect(answer).toMatchObject({ status: 503, retryAfter: "1" });
    expect(JSON.parse(answer.text)).toMatchObject({
      error: { code: "UNAVAILABLE", details: { retry_after_ms: 1_000 } },
    });
    return "refused";
  });
  const health = await fetch(`${url}/health`);
  expect([health.status, (await health.json()).status]).toEqual([200, "ok"]);
  const outcomes = await Promise.all(answers);
  expect(outcomes.filter((outcome) => outcome === "right").length).toBeGreaterThan(20);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(await peakMebibytes()).toBeLessThan(MAX_MEBIBYTES);
});
