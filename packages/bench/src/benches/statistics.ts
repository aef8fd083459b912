import type { SessionStatistics, StatisticsOptions } from "@sm/core";
import { SCALE_SHAPE } from "../corpus/plan.ts";
import { median } from "../measure/percentile.ts";
import type { Service } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";
import { Stage } from "./bench.ts";

const RUNS = 15;
/** The first answers are as slow as code that was never run before. */
const WARM_UPS = 5;
const AT_MOST_MS = 50;

/** How long it takes to add up years of work, over HTTP. */
export async function statistics(stage: Stage): Promise<BenchRow[]> {
  const own = new Stage({ ...SCALE_SHAPE, ...stage.shape });
  try {
    const { stateDirectory } = await own.coldIndex();
    return await own.withService(stateDirectory, async (service) => {
      await service.ready();
      const zone = { time_zone: "Europe/Berlin" };
      const first = await timeOf(service, zone);
      const { by_day, by_project } = await ask(service, zone);
      const middle = by_day[Math.floor(by_day.length / 2)]?.date;
      const questions: [string, (run: number) => StatisticsOptions][] = [
        ["all sessions", () => zone],
        ["all sessions, never asked before", (run) => ({ ...zone, until: `2100-01-01T00:00:${seconds(run)}Z` })],
        ["the newer half, never asked before", (run) => ({ ...zone, since: `${middle}T10:07:${seconds(run)}Z` })],
        ["one project", () => ({ ...zone, project: by_project[0]?.project ?? undefined })],
      ];
      const what = `get_session_stats over ${own.corpus.manifest.sessions} sessions`;
      const rows = [judge({ what: `${what}, first answer of a process`, measured: first, unit: "ms" })];
      for (const [name, question] of questions) {
        const measured = median(await warmTimes(service, question));
        rows.push(judge({ what: `${what}, ${name}, median`, measured, unit: "ms", atMost: AT_MOST_MS }));
      }
      return rows;
    });
  } finally {
    own.close();
  }
}

/** @param question of each run, those before the first that counts included. */
async function warmTimes(service: Service, question: (run: number) => StatisticsOptions): Promise<number[]> {
  for (let run = 0; run < WARM_UPS; run++) await ask(service, question(run));
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await timeOf(service, question(WARM_UPS + run)));
  return times;
}

function seconds(run: number): string {
  return String(run).padStart(2, "0");
}

function ask(service: Service, options: StatisticsOptions): Promise<SessionStatistics> {
  return service.command("get_session_stats", options) as Promise<SessionStatistics>;
}

/** Milliseconds. */
async function timeOf(service: Service, options: StatisticsOptions): Promise<number> {
  const start = performance.now();
  await ask(service, options);
  return performance.now() - start;
}
