import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { WebSocket } from "ws";
import { sessionFiles } from "../corpus/session-files.ts";
import { median } from "../measure/percentile.ts";
import { CAN_WATCH_PROCESSES, residentMemory } from "../measure/process-tree.ts";
import { programUrl } from "../measure/program-url.ts";
import type { ServerProcess } from "../measure/server-process.ts";
import { openSocket, pingsPerSecond } from "../measure/socket.ts";
import type { ClientsOrder, ClientsReport } from "../programs/socket-clients.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

const ROUNDS = 3;
const SECONDS_PER_ROUND = 3;
const IN_FLIGHT = 64;
const CLIENTS = 1_000;
const FAN_OUTS = 11;
const EVENTS_PER_READER = 10_000;
/** Garbage of what was just done is gone after so long. */
const SETTLE_MS = 3_000;
const SAMPLE_MS = 25;

/** What WebSocket connections carry and cost. */
export async function sockets(stage: Stage): Promise<BenchRow[]> {
  const { stateDirectory } = await stage.coldIndex();
  const [session] = sessionFiles(stage.corpus.agentHome);
  if (session === undefined) throw new Error("The corpus is empty.");
  return stage.withService(stateDirectory, async (service) => {
    await service.ready();
    return [
      // First, while the service has no memory to spare from other work.
      ...(await idleClients(service.process, session.path)),
      ...(await pings(service.process)),
      await clientsThatStopReading(service.process, session.path),
    ];
  });
}

async function pings({ url }: ServerProcess): Promise<BenchRow[]> {
  let pipelined = 0;
  let alternating = 0;
  for (let round = 0; round < ROUNDS; round++) {
    pipelined = Math.max(pipelined, await pingsPerSecond(url, IN_FLIGHT, SECONDS_PER_ROUND));
    alternating = Math.max(alternating, await pingsPerSecond(url, 1, SECONDS_PER_ROUND));
  }
  return [
    judge({
      what: `ping over one WebSocket, ${IN_FLIGHT} under way`,
      measured: pipelined,
      unit: "requests/s",
      atLeast: 10_000,
    }),
    judge({ what: "ping over one WebSocket, one at a time", measured: alternating, unit: "requests/s" }),
  ];
}

async function idleClients(server: ServerProcess, path: string): Promise<BenchRow[]> {
  const child = fork(fileURLToPath(programUrl("socket-clients")));
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The clients' process ended with ${code}.`);
  });
  const tell = async (order: ClientsOrder): Promise<ClientsReport> => {
    child.send(order);
    const [report] = await Promise.race([once(child, "message"), ended]);
    return report;
  };
  try {
    await pause(SETTLE_MS);
    const before = residentMemory(server.pid);
    await tell({ open: CLIENTS, url: server.url });
    await pause(SETTLE_MS);
    const grown = residentMemory(server.pid) - before;
    const times: number[] = [];
    for (let event = 0; event < FAN_OUTS; event++) {
      const report = await tell({ toggleFavorite: path });
      if ("milliseconds" in report) times.push(report.milliseconds);
    }
    return [
      judge({
        what: `memory of ${CLIENTS} idle WebSocket clients`,
        measured: CAN_WATCH_PROCESSES ? grown / MEGABYTE : null,
        unit: "MB",
        atMost: 60,
      }),
      judge({
        what: `one event on all ${CLIENTS} clients, from the command that causes it`,
        measured: median(times),
        unit: "ms",
        atMost: 200,
      }),
    ];
  } finally {
    child.kill();
  }
}

async function clientsThatStopReading(server: ServerProcess, path: string): Promise<BenchRow> {
  const writer = await openSocket(server.url);
  const readers: WebSocket[] = [];
  // What the same work costs when everybody reads is not the readers' doing.
  await publish(writer, path, EVENTS_PER_READER);
  await pause(SETTLE_MS);
  const before = residentMemory(server.pid);
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentMemory(server.pid));
  }, SAMPLE_MS);
  try {
    // One after the other, because the service cuts off who takes nothing for a while.
    for (let round = 0; round < ROUNDS; round++) {
      const reader = await openSocket(server.url);
      readers.push(reader);
      reader.pause();
      await publish(writer, path, EVENTS_PER_READER);
    }
  } finally {
    clearInterval(sampler);
    for (const socket of [writer, ...readers]) socket.terminate();
  }
  return judge({
    what: `memory grown while ${ROUNDS} clients read nothing of ${EVENTS_PER_READER} events each`,
    measured: CAN_WATCH_PROCESSES ? (peak - before) / MEGABYTE : null,
    unit: "MB",
    atMost: 20,
  });
}

/** Changes a session until so many events have been published. */
function publish(writer: WebSocket, path: string, events: number): Promise<void> {
  const message = JSON.stringify({ command: "toggle_favorite", payload: { path } });
  let first = Number.NaN;
  let done = false;
  return new Promise((resolve, reject) => {
    const onMessage = (data: Buffer) => {
      const { event, seq, success } = JSON.parse(data.toString()) as { event?: string; seq: number; success?: boolean };
      if (event !== undefined) {
        if (Number.isNaN(first)) first = seq;
        done ||= seq - first >= events;
      } else if (success !== true) {
        reject(new Error(`toggle_favorite failed: ${data.toString()}`));
      } else if (done) {
        writer.off("message", onMessage);
        resolve();
      } else {
        writer.send(message);
      }
    };
    writer.on("message", onMessage);
    writer.once("close", () => reject(new Error("The WebSocket of the writer was closed.")));
    for (let sent = 0; sent < IN_FLIGHT; sent++) writer.send(message);
  });
}
