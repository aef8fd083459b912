import { appendFileSync, closeSync, cpSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SessionRecord } from "@sm/core";
import type { WebSocket } from "ws";
import { percentile } from "../measure/percentile.ts";
import { openSocket } from "../measure/socket.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";

const APPENDS = 100;
const SMALL_BYTES = 20_000;
const LARGE_BYTES = 80_000_000;
const ENTRY_BYTES = 8_000;
/** Appends are so many milliseconds apart at most, so that they do not fall into step with the watcher. */
const MOST_APART_MS = 150;
const EVENT_TIMEOUT_MS = 10_000;

/** How long after an agent has written a line a client has the new record, while the whole corpus is watched. */
export async function appends(stage: Stage): Promise<BenchRow[]> {
  const directory = stage.newDirectory();
  mkdirSync(directory);
  const small = writeSession(directory, "small", SMALL_BYTES);
  const large = writeSession(directory, "large", LARGE_BYTES);
  const stateDirectory = stage.newDirectory();
  // Its own, because the corpus' index must not hold these sessions.
  cpSync((await stage.coldIndex()).stateDirectory, stateDirectory, { recursive: true });
  mkdirSync(join(stateDirectory, "config"), { recursive: true });
  const config = JSON.stringify({ session_paths: [directory] });
  writeFileSync(join(stateDirectory, "config", "session-manager.json"), config);
  return stage.withService(stateDirectory, async (service) => {
    await service.scanSessions();
    await service.ready();
    const socket = await openSocket(service.process.url);
    try {
      const smallTimes = await appendAndWait(socket, small);
      const largeTimes = await appendAndWait(socket, large);
      return [...rows("a small file", smallTimes, 150), ...rows("a file of 80 MB", largeTimes, 300)];
    } finally {
      socket.terminate();
    }
  });
}

function rows(file: string, times: number[], atMost: number): BenchRow[] {
  const what = (share: string) => `line appended to ${file} → record on a WebSocket client, ${share}`;
  return [
    judge({ what: what("median"), measured: percentile(times, 0.5), unit: "ms" }),
    judge({ what: what("99 %"), measured: percentile(times, 0.99), unit: "ms", atMost }),
  ];
}

interface OpenSession {
  path: string;
  /** Entries so far, which are all messages. */
  messages: number;
}

function writeSession(directory: string, id: string, bytes: number): OpenSession {
  const path = join(directory, `${id}.jsonl`);
  const file = openSync(path, "w");
  const timestamp = new Date().toISOString();
  const header = { type: "session", version: 3, id, timestamp, cwd: "/home/user/project" };
  let written = writeSync(file, `${JSON.stringify(header)}\n`);
  let messages = 0;
  while (written < bytes) written += writeSync(file, entryLine(messages++, ENTRY_BYTES));
  closeSync(file);
  return { path, messages };
}

/** A user's message, the child of the one before it. */
function entryLine(place: number, bytes: number): string {
  const entry = {
    type: "message",
    id: `m${place}`,
    parentId: place === 0 ? null : `m${place - 1}`,
    timestamp: new Date().toISOString(),
    message: { role: "user", content: `Message ${place} says more of the same. `.repeat(Math.ceil(bytes / 36)) },
  };
  return `${JSON.stringify(entry)}\n`;
}

/** Milliseconds from each append to the event with the record that counts it. */
async function appendAndWait(socket: WebSocket, session: OpenSession): Promise<number[]> {
  const times: number[] = [];
  for (let append = 0; append < APPENDS; append++) {
    await pause(Math.random() * MOST_APART_MS);
    const line = entryLine(session.messages++, 0);
    const told = recordOf(socket, session);
    const start = performance.now();
    appendFileSync(session.path, line);
    times.push((await told) - start);
  }
  return times;
}

/** Waits for the event with the record of so many messages, and tells when it came. */
function recordOf(socket: WebSocket, { path, messages }: OpenSession): Promise<number> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.off("message", onMessage);
      settle();
    };
    const onMessage = (data: Buffer) => {
      const now = performance.now();
      const { event, payload } = JSON.parse(data.toString()) as { event: string; payload: unknown };
      if (event !== "sessions-diff") return;
      const { updated } = payload as { updated: SessionRecord[] };
      const isThere = updated.some((record) => record.path === path && record.message_count === messages);
      if (isThere) end(() => resolve(now));
    };
    const timer = setTimeout(
      () => end(() => reject(new Error(`No event told of an append to ${path} within ${EVENT_TIMEOUT_MS} ms.`))),
      EVENT_TIMEOUT_MS,
    );
    socket.on("message", onMessage);
  });
}
