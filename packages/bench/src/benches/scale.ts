import { readFileSync } from "node:fs";
import { SCALE_SHAPE } from "../corpus/plan.ts";
import { sessionFiles } from "../corpus/session-files.ts";
import { median } from "../measure/percentile.ts";
import { type BenchRow, judge } from "../report.ts";
import { agents } from "./agents.ts";
import { MEGABYTE, Stage } from "./bench.ts";
import { idle } from "./idle.ts";
import { indexCosts } from "./indexing.ts";
import { searchSubjects, searchTimes, warmUp } from "./searches.ts";

const RUNS = 3;
const READS = 5;
const LF = 0x0a;

/** What years of work cost: more sessions than the other benches have, and one that is larger than all of most people. */
export async function scale(stage: Stage): Promise<BenchRow[]> {
  const own = new Stage({ ...SCALE_SHAPE, ...stage.shape });
  try {
    const rows = [
      ...(await indexed(own)),
      ...(await started(own)),
      ...(await used(own)),
      ...(await idle(own)),
      // The last one, because it adds to the index.
      ...(await agents(own)),
    ];
    const { sessions, bytes } = own.corpus.manifest;
    const prefix = `${sessions} sessions, ${(bytes / (1000 * MEGABYTE)).toFixed(1)} GB`;
    return rows.map((row) => ({ ...row, what: `${prefix}: ${row.what}` }));
  } finally {
    own.close();
  }
}

async function indexed(own: Stage): Promise<BenchRow[]> {
  const textMegabytes = own.corpus.manifest.textBytes / MEGABYTE;
  const cold = await own.coldIndex();
  return [
    judge({
      what: "text searchable, cold, from the process start",
      measured: textMegabytes / cold.seconds,
      unit: "MB/s",
    }),
    ...indexCosts(cold, textMegabytes, { mostMemory: 600 }),
  ];
}

async function started(own: Stage): Promise<BenchRow[]> {
  const { stateDirectory } = await own.coldIndex();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await own.withService(stateDirectory, async (service) => {
      await service.listSessions(50);
      times.push(service.process.elapsed());
    });
  }
  const what = "list_sessions answers, warm, from the process start";
  return [judge({ what, measured: median(times), unit: "ms", atMost: 700 })];
}

/** Reads the largest session and searches all, in one process. */
async function used(own: Stage): Promise<BenchRow[]> {
  const { stateDirectory } = await own.coldIndex();
  const [largest] = sessionFiles(own.corpus.agentHome).sort((a, b) => b.size - a.size);
  if (largest === undefined) throw new Error("The corpus is empty.");
  const size = `${(largest.size / MEGABYTE).toFixed(0)} MB`;
  const reference = { name: "read and parse the file", value: parseTime(largest.path) };
  return own.withService(stateDirectory, async (service) => {
    await service.ready();
    const pages = await repeat(() => service.readEntries(largest.path));
    const trees = await repeat(() => service.readTree(largest.path));
    const reads = [
      { what: `read_session_entries of a session of ${size}, first page`, times: pages },
      { what: `read_session_tree of a session of ${size}`, times: trees },
    ].flatMap(({ what, times }) => [
      judge({ what: `${what}, at first`, measured: times[0] ?? null, unit: "ms", reference }),
      judge({ what: `${what}, median`, measured: median(times), unit: "ms", reference }),
    ]);
    await warmUp(service);
    const subjects = searchSubjects(own.corpus).map(({ what, queries }) => ({ what, queries }));
    const searches = await searchTimes(service, own.corpus, subjects);
    const { peak } = service.process.memory;
    return [
      ...reads,
      ...searches,
      judge({
        what: "peak memory of the process tree, reading and searching",
        measured: peak === null ? null : peak / MEGABYTE,
        unit: "MB",
        atMost: 600,
      }),
    ];
  });
}

/** Milliseconds of each run. */
async function repeat(action: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < READS; run++) {
    const start = performance.now();
    await action();
    times.push(performance.now() - start);
  }
  return times;
}

/** Milliseconds that it takes to read a session as a whole. */
function parseTime(path: string): number {
  const begun = performance.now();
  const bytes = readFileSync(path);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LF, start);
    JSON.parse(bytes.toString("utf8", start, end));
    start = end + 1;
  }
  return performance.now() - begun;
}
