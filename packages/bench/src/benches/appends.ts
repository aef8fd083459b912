import { cpSync, mkdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { SessionRecord } from "@sm/core";
import type { WebSocket } from "ws";
import { GrowingSession } from "../corpus/growing-session.ts";
import { rareWord } from "../corpus/rare-word.ts";
import { percentile } from "../measure/percentile.ts";
import { bytesRead, bytesWritten, CAN_WATCH_PROCESSES } from "../measure/process-tree.ts";
import { recordEvent } from "../measure/record-event.ts";
import { addSessionPaths, type Service } from "../measure/service.ts";
import { openSocket } from "../measure/socket.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";

const APPENDS = 100;
const SMALL_BYTES = 20_000;
const LARGE_BYTES = 80_000_000;
/** Appends are so many milliseconds apart at most, so that they do not fall into step with the watcher. */
const MAX_GAP_MS = 150;
const EVENT_TIMEOUT_MS = 10_000;
const SEARCH_POLL_MS = 5;
const SEARCH_TIMEOUT_MS = 10_000;
const READ_APPENDS = 30;
/** Longer than changes are collected, so that each append is read by itself. */
const READ_APART_MS = 700;
/** All that an append causes is done after so long. */
const SETTLE_MS = 3_000;
const KIBIBYTE = 1024;

/** How long after an agent has written a line a client has the new record and finds it, while the corpus is watched. */
export async function appends(stage: Stage): Promise<BenchRow[]> {
  const directory = stage.newDirectory();
  mkdirSync(directory);
  const small = new GrowingSession(directory, "small", SMALL_BYTES);
  const large = new GrowingSession(directory, "large", LARGE_BYTES);
  const stateDirectory = stage.newDirectory();
  // Its own, because the corpus' index must not hold these sessions.
  cpSync((await stage.coldIndex()).stateDirectory, stateDirectory, { recursive: true });
  addSessionPaths(stateDirectory, [directory]);
  return stage.withService(stateDirectory, async (service) => {
    await service.scanSessions();
    await service.ready();
    const socket = await openSocket(service.process.url);
    try {
      return [
        ...timeRows("a small file → record on a WebSocket client", await untilTold(socket, small), 150),
        ...timeRows("a file of 80 MB → record on a WebSocket client", await untilTold(socket, large), 300),
        ...timeRows("a file of 80 MB → found by search", await untilFound(service, large), 300),
        ...(await costOfAppends(service, large)),
      ];
    } finally {
      socket.terminate();
    }
  });
}

function timeRows(what: string, times: number[], atMost: number): BenchRow[] {
  return [
    judge({ what: `line appended to ${what}, median`, measured: percentile(times, 0.5), unit: "ms" }),
    judge({ what: `line appended to ${what}, 99 %`, measured: percentile(times, 0.99), unit: "ms", atMost }),
  ];
}

/** Milliseconds from each append to the event with the record that counts it. */
async function untilTold(socket: WebSocket, session: GrowingSession): Promise<number[]> {
  const times: number[] = [];
  for (let append = 0; append < APPENDS; append++) {
    await pause(Math.random() * MAX_GAP_MS);
    const messages = session.messages + 1;
    const isIt = (record: SessionRecord) => record.path === session.path && record.message_count === messages;
    const told = recordEvent(socket, isIt, EVENT_TIMEOUT_MS);
    const start = performance.now();
    session.append("Go on.");
    times.push((await told) - start);
  }
  return times;
}

/** Milliseconds from each append to the answer of the first search that finds it. */
async function untilFound(service: Service, session: GrowingSession): Promise<number[]> {
  const times: number[] = [];
  for (let append = 0; append < APPENDS; append++) {
    await pause(Math.random() * MAX_GAP_MS);
    const query = rareWord("append", append);
    const start = performance.now();
    session.append(`Go on with ${query}.`);
    while ((await service.search({ query })).hits.length === 0) {
      if (performance.now() - start > SEARCH_TIMEOUT_MS)
        throw new Error(`No search finds an append to ${session.path}.`);
      await pause(SEARCH_POLL_MS);
    }
    times.push(performance.now() - start);
  }
  return times;
}

/** What the service reads and writes because of one append: of the session, of its index and of anything else. */
async function costOfAppends(service: Service, session: GrowingSession): Promise<BenchRow[]> {
  const what = "for each line appended to a file of 80 MB, index included";
  const read = { what: `read ${what}`, unit: "KiB", atMost: 64 };
  const written = { what: `written ${what}`, unit: "KiB", atMost: 20 };
  if (!CAN_WATCH_PROCESSES) {
    return [read, written].map((target) => judge({ ...target, measured: null, note: "needs Linux" }));
  }
  const { pid } = service.process;
  await pause(SETTLE_MS);
  const before = { read: bytesRead(pid), written: bytesWritten(pid) };
  for (let append = 0; append < READ_APPENDS; append++) {
    session.append("Go on.");
    await pause(READ_APART_MS);
  }
  await pause(SETTLE_MS);
  const perAppend = (bytes: number) => bytes / READ_APPENDS / KIBIBYTE;
  return [
    judge({ ...read, measured: perAppend(bytesRead(pid) - before.read) }),
    judge({ ...written, measured: perAppend(bytesWritten(pid) - before.written) }),
  ];
}
