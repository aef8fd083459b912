import { setTimeout as pause } from "node:timers/promises";
import { CAN_WATCH_PROCESSES, processorTime, residentMemory } from "../measure/process-tree.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

/** Longer than the service keeps threads that have nothing to do, and than V8 then takes to collect what they have left. */
const SETTLE_MS = 30_000;
const IDLE_MS = 60_000;

/** What the service costs while nobody asks for anything. */
export async function idle(stage: Stage): Promise<BenchRow[]> {
  const time = { what: `processor time of ${IDLE_MS / 1000} idle seconds`, unit: "%", atMost: 0.1 };
  const memory = { what: "memory of the process tree after them", unit: "MB", atMost: 150 };
  if (!CAN_WATCH_PROCESSES) {
    return [time, memory].map((target) => judge({ ...target, measured: null, note: "needs Linux" }));
  }
  const { stateDirectory } = await stage.coldIndex();
  return stage.withService(stateDirectory, async (service) => {
    const { pid } = service.process;
    await service.ready();
    await pause(SETTLE_MS);
    const start = performance.now();
    const before = processorTime(pid);
    await pause(IDLE_MS);
    const used = processorTime(pid) - before;
    const elapsed = (performance.now() - start) / 1000;
    return [
      // The kernel counts in hundredths of a second: six of them are 0.1 % here.
      judge({ ...time, measured: (100 * used) / elapsed }),
      judge({ ...memory, measured: residentMemory(pid) / MEGABYTE }),
    ];
  });
}
