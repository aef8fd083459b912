import { writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { SessionRecord } from "@sm/core";
import { sessionFiles } from "../corpus/session-files.ts";
import { COMMON_WORDS } from "../corpus/words.ts";
import { drainAnswer, exportOf } from "../measure/drain-answer.ts";
import { memoryPlot } from "../measure/memory-plot.ts";
import { MemoryRecord } from "../measure/memory-record.ts";
import { MixedLoad } from "../measure/mixed-load.ts";
import { PauseProbe } from "../measure/pause-probe.ts";
import { median, percentile } from "../measure/percentile.ts";
import { CAN_WATCH_PROCESSES, proportionalMemory } from "../measure/process-tree.ts";
import { Service } from "../measure/service.ts";
import type { LoadOptions } from "../options.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

const MAX_PAUSE_MS = 30;
const SETTLE_MS = 60_000;
const CLIENTS = 8;
const LIST_ROUNDS = 5;
const SORTS = ["modified", "created", "size", "messages", "cost", "title"] as const;
/** Until caches are full, memory grows rightly. */
const WARM_UP_SHARE = 0.2;
const GROWTH_SAMPLES = 20;

/** Memory and pauses of the event loop while a service indexes, answers what is large, and serves several clients. */
export async function footprint(stage: Stage, { minutes, plot }: LoadOptions): Promise<BenchRow[]> {
  if (!CAN_WATCH_PROCESSES) {
    return [judge({ what: "memory and pauses of the event loop", measured: null, unit: "", note: "needs Linux" })];
  }
  const stateDirectory = stage.newDirectory();
  using still = PauseProbe.startStill();
  return [
    ...(await whileIndexing(stage, stateDirectory, still)),
    ...(await idleMemory(stage, stateDirectory)),
    ...(await whileAnswering(stage, stateDirectory, still)),
    ...(await underLoad(stage, stateDirectory, still, { minutes, plot })),
  ];
}

async function whileIndexing(stage: Stage, stateDirectory: string, still: PauseProbe): Promise<BenchRow[]> {
  return withProbedService(stage, stateDirectory, async (service) => {
    const memory = new MemoryRecord(service.process.pid);
    await still.longest();
    // What a start takes is measured elsewhere.
    await service.process.pauses.longest();
    await service.ready();
    memory.stop();
    return [
      judge({ what: "memory while indexing, peak", measured: memory.peak / MEGABYTE, unit: "MB", atMost: 400 }),
      await pauseRow("indexing", service, still),
    ];
  });
}

async function idleMemory(stage: Stage, stateDirectory: string): Promise<BenchRow[]> {
  return stage.withService(stateDirectory, async (service) => {
    await service.ready();
    await pause(SETTLE_MS);
    const measured = proportionalMemory(service.process.pid) / MEGABYTE;
    return [judge({ what: "memory after an idle minute", measured, unit: "MB", atMost: 90 })];
  });
}

async function whileAnswering(stage: Stage, stateDirectory: string, still: PauseProbe): Promise<BenchRow[]> {
  const [largest] = sessionFiles(stage.corpus.agentHome).sort((a, b) => b.size - a.size);
  if (largest === undefined) throw new Error("The corpus is empty.");
  const { path } = largest;
  const size = `${(largest.size / MEGABYTE).toFixed(0)} MB`;
  return withProbedService(stage, stateDirectory, async (service) => {
    await service.ready();
    const records = await service.scanSessions();
    const rows = await listTimes(service, records);
    const actions: [what: string, act: () => Promise<unknown>][] = [
      ["scan_sessions", () => drain(service, "scan_sessions", {})],
      ["read_session_tree", () => drain(service, "read_session_tree", { path })],
      ["read_session_entries", () => drain(service, "read_session_entries", { path, limit: 500 })],
      ["find_in_session", () => drain(service, "find_in_session", { path, query: COMMON_WORDS[0] })],
      ["export as HTML", () => drainAnswer(service.process.url, agent, exportOf(path))],
      ["get_session_stats", () => drain(service, "get_session_stats", {})],
      ["get_session_stats since a day", () => drain(service, "get_session_stats", { since: records[0]?.created_at })],
    ];
    for (const [what, act] of actions) {
      await still.longest();
      await service.process.pauses.longest();
      await act();
      rows.push(await pauseRow(what, service, still));
    }
    return [...rows, ...(await wholeFile(service, path, size, still))];
  });
}

/** What `read_session_file` of the largest session takes. */
async function wholeFile(service: Service, path: string, size: string, still: PauseProbe): Promise<BenchRow[]> {
  const { pid, pauses } = service.process;
  const before = proportionalMemory(pid);
  const memory = new MemoryRecord(pid, 20);
  await still.longest();
  await pauses.longest();
  const { firstByteMs } = await drain(service, "read_session_file", { path });
  memory.stop();
  const what = `read_session_file of ${size}`;
  return [
    await pauseRow(what, service, still),
    judge({ what: `${what}, first byte`, measured: firstByteMs, unit: "ms", atMost: 50 }),
    judge({ what: `${what}, extra memory`, measured: (memory.peak - before) / MEGABYTE, unit: "MB", atMost: 16 }),
  ];
}

async function listTimes(service: Service, records: readonly SessionRecord[]): Promise<BenchRow[]> {
  const [newest] = records;
  const middle = records[Math.floor(records.length / 2)];
  const filters = [
    {},
    { project: newest?.cwd ?? null },
    { since: middle?.modified_at ?? null },
    ...COMMON_WORDS.slice(0, 3).map((query) => ({ query })),
    { query: "nobodysaidthis" },
  ];
  const times: number[] = [];
  for (let round = 0; round < LIST_ROUNDS; round++) {
    for (const sort of SORTS) {
      for (const order of ["asc", "desc"] as const) {
        for (const filter of filters) {
          const start = performance.now();
          await drain(service, "list_sessions", { sort, order, ...filter });
          times.push(performance.now() - start);
        }
      }
    }
  }
  const what = `list_sessions of ${records.length}, every sort and filter`;
  return [
    judge({ what: `${what}, p50`, measured: median(times), unit: "ms", atMost: 3 }),
    judge({ what: `${what}, p99`, measured: percentile(times, 0.99), unit: "ms", atMost: 15 }),
  ];
}

async function underLoad(
  stage: Stage,
  stateDirectory: string,
  still: PauseProbe,
  { minutes, plot }: LoadOptions,
): Promise<BenchRow[]> {
  return withProbedService(stage, stateDirectory, async (service) => {
    await service.ready();
    const load = new MixedLoad(service.process.url, await service.scanSessions());
    await still.longest();
    await service.process.pauses.longest();
    const memory = new MemoryRecord(service.process.pid);
    const answers = await load.run(CLIENTS, minutes * 60_000);
    memory.stop();
    const what = `mixed load of ${CLIENTS} clients for ${minutes} minutes`;
    if (plot !== null) writeFileSync(plot, memoryPlot(what, memory.samples));
    return [
      await pauseRow(what, service, still),
      judge({ what: `${what}, answers`, measured: answers / (minutes * 60), unit: "answers/s" }),
      judge({ what: `${what}, peak memory`, measured: memory.peak / MEGABYTE, unit: "MB", atMost: 350 }),
      judge({ what: `${what}, growth`, measured: growth(memory), unit: "MB", atMost: 20 }),
    ];
  });
}

/** Megabytes between the median after warming up and the one at the end. */
function growth({ samples }: MemoryRecord): number {
  const bytes = samples.map((sample) => sample.bytes);
  const warm = bytes.slice(Math.floor(bytes.length * WARM_UP_SHARE));
  return (median(warm.slice(-GROWTH_SAMPLES)) - median(warm.slice(0, GROWTH_SAMPLES))) / MEGABYTE;
}

async function pauseRow(what: string, service: Service, still: PauseProbe): Promise<BenchRow> {
  const { milliseconds, processorMilliseconds } = await service.process.pauses.longest();
  const machine = await still.longest();
  return judge({
    what: `longest pause of the event loop in processor time: ${what}`,
    measured: processorMilliseconds,
    unit: "ms",
    atMost: MAX_PAUSE_MS,
    note: `by the clock ${milliseconds.toFixed(0)} ms, in a process that does nothing ${machine.milliseconds.toFixed(0)} ms`,
  });
}

async function withProbedService<Result>(
  stage: Stage,
  stateDirectory: string,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  const service = await Service.start(stage.corpus.agentHome, stateDirectory, { isProbed: true });
  try {
    return await use(service);
  } finally {
    await service.process.stop();
  }
}

const agent = new Agent({ keepAlive: true });

function drain(service: Service, command: string, payload: object): Promise<{ firstByteMs: number }> {
  return drainAnswer(service.process.url, agent, { command, payload });
}
