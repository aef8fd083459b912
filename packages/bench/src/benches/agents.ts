import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { rareWord } from "../corpus/rare-word.ts";
import { median, percentile } from "../measure/percentile.ts";
import { CAN_WATCH_PROCESSES, processorTime } from "../measure/process-tree.ts";
import { programUrl } from "../measure/program-url.ts";
import { addSessionPaths, type Service } from "../measure/service.ts";
import type { AgentsOrder, AgentsReport, WrittenLine } from "../programs/appending-agents.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";

const AGENTS = 200;
const PROCESSES = 2;
const WRITE_FOR_MS = 20_000;
const POLL_MS = 10;
/** After the last line. */
const FIND_WITHIN_MS = 30_000;
/** More than an agent writes meanwhile. */
const HITS = 200;

/** How soon lines are found while many agents write at once. Leaves the stage's index with their sessions in it. */
export async function agents(stage: Stage): Promise<BenchRow[]> {
  const { stateDirectory } = await stage.coldIndex();
  const directory = stage.newDirectory();
  mkdirSync(directory);
  addSessionPaths(stateDirectory, [directory]);
  const writers = Array.from({ length: PROCESSES }, () => fork(fileURLToPath(programUrl("appending-agents"))));
  try {
    const share = AGENTS / PROCESSES;
    await Promise.all(
      writers.map((writer, place) =>
        tell(writer, { open: { directory, from: place * share, below: (place + 1) * share } }, "opened"),
      ),
    );
    return await stage.withService(stateDirectory, async (service) => {
      await service.ready();
      return follow(service, writers);
    });
  } finally {
    for (const writer of writers) writer.kill();
  }
}

async function follow(service: Service, writers: readonly ChildProcess[]): Promise<BenchRow[]> {
  const { pid } = service.process;
  const open = new Set<WrittenLine>();
  for (const writer of writers) {
    writer.on("message", (report: AgentsReport) => {
      if ("written" in report) open.add(report.written);
    });
  }
  const start = performance.now();
  const before = CAN_WATCH_PROCESSES ? processorTime(pid) : 0;
  let isWriting = true;
  const ends = Promise.all(writers.map((writer) => tell(writer, { writeFor: WRITE_FOR_MS }, "done"))).then(
    (reports) => {
      isWriting = false;
      return reports;
    },
  );
  const times: number[] = [];
  while (isWriting || open.size > 0) {
    if (performance.now() - start > WRITE_FOR_MS + FIND_WITHIN_MS) break;
    for (const line of open) {
      if ((await service.search({ query: line.word })).hits.length === 0) continue;
      open.delete(line);
      times.push(performance.timeOrigin + performance.now() - line.at);
    }
    await pause(POLL_MS);
  }
  const used = CAN_WATCH_PROCESSES ? processorTime(pid) - before : null;
  const elapsed = (performance.now() - start) / 1000;
  const lines = (await ends).flatMap((report) => ("done" in report ? report.done : []));
  const written = lines.reduce((sum, [, count]) => sum + count, 0);
  const found = await countFound(service, lines);
  const what = `${AGENTS} agents, ${(written / (WRITE_FOR_MS / 1000)).toFixed(0)} lines a second`;
  return [
    judge({ what: `${what}, found of ${written} lines`, measured: (100 * found) / written, unit: "%", atLeast: 100 }),
    judge({ what: `${what}, line → found by search, median`, measured: median(times), unit: "ms" }),
    judge({ what: `${what}, line → found by search, 99 %`, measured: percentile(times, 0.99), unit: "ms" }),
    judge({
      what: `${what}, processor time, with ${times.length} lines followed by searches`,
      measured: used === null ? null : (100 * used) / elapsed,
      unit: "% of a core",
      ...(used === null ? { note: "needs Linux" } : {}),
    }),
  ];
}

/** The lines of all agents that a search finds in the end. */
async function countFound(service: Service, lines: readonly [agent: number, count: number][]): Promise<number> {
  const deadline = performance.now() + FIND_WITHIN_MS;
  let found = 0;
  for (const [agent, count] of lines) {
    const query = rareWord("agent", agent);
    let hits = 0;
    do {
      ({ length: hits } = (await service.search({ query, limit: HITS, per_session: HITS })).hits);
    } while (hits < count && performance.now() < deadline);
    found += hits;
  }
  return found;
}

/** Gives an order and waits for the answer of this kind. */
async function tell(writer: ChildProcess, order: AgentsOrder, kind: "opened" | "done"): Promise<AgentsReport> {
  const ended = once(writer, "exit").then(([code]) => {
    throw new Error(`The agents' process ended with ${code}.`);
  });
  const answered = new Promise<AgentsReport>((resolve) => {
    const onMessage = (report: AgentsReport) => {
      if (!(kind in report)) return;
      writer.off("message", onMessage);
      resolve(report);
    };
    writer.on("message", onMessage);
  });
  writer.send(order);
  return Promise.race([answered, ended]);
}
