import { setTimeout as pause } from "node:timers/promises";
import { CAN_WATCH_PROCESSES, processorTime } from "../measure/process-tree.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";

/** Longer than the service keeps threads that have nothing to do. */
const SETTLE_MS = 15_000;
const IDLE_MS = 20_000;

/** What the service costs while nobody asks for anything. */
export async function idle(stage: Stage): Promise<BenchRow[]> {
  const what = `processor time of ${IDLE_MS / 1000} idle seconds`;
  if (!CAN_WATCH_PROCESSES) return [judge({ what, measured: null, unit: "%", atMost: 0.1, note: "needs Linux" })];
  const { stateDirectory } = await stage.coldIndex();
  return stage.withService(stateDirectory, async (service) => {
    await service.ready();
    await pause(SETTLE_MS);
    const start = performance.now();
    const before = processorTime(service.process.pid);
    await pause(IDLE_MS);
    const used = processorTime(service.process.pid) - before;
    const elapsed = (performance.now() - start) / 1000;
    // The kernel counts in hundredths of a second: two of them are 0.1 % here, and less cannot be told from nothing.
    return [judge({ what, measured: (100 * used) / elapsed, unit: "%", atMost: 0.1 })];
  });
}
