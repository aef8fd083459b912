import { median } from "../measure/percentile.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

const RUNS = 5;

/** What a start costs when nothing has changed since the last one. */
export async function restart(stage: Stage, targets = { scanMs: 500, listMs: 350 }): Promise<BenchRow[]> {
  const { stateDirectory } = await stage.coldIndex();
  const scans: number[] = [];
  const lists: number[] = [];
  const peaks: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await stage.withService(stateDirectory, async (service) => {
      await service.scanSessions();
      scans.push(service.process.elapsed());
      await service.ready();
      const { peak } = service.process.memory;
      if (peak !== null) peaks.push(peak / MEGABYTE);
    });
    await stage.withService(stateDirectory, async (service) => {
      await service.listSessions(50);
      lists.push(service.process.elapsed());
    });
  }
  return [
    judge({
      what: "scan_sessions answers, warm, from the process start",
      measured: median(scans),
      unit: "ms",
      atMost: targets.scanMs,
    }),
    judge({
      what: "list_sessions answers, warm, from the process start",
      measured: median(lists),
      unit: "ms",
      atMost: targets.listMs,
    }),
    judge({
      what: "peak memory of a warm start and a scan",
      measured: peaks.length === 0 ? null : Math.max(...peaks),
      unit: "MB",
      atMost: 200,
    }),
  ];
}
