import type { ChromiumPage } from "./chromium.ts";

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  dur?: number;
  /** Microseconds of processor time. */
  tdur?: number;
  args?: { name?: string };
}

/** What the thread that runs the page's scripts has done, in milliseconds. */
export interface MainThread {
  /** The longest task, by the clock. */
  longestTask: number;
  /** The longest task in processor time: what the rest of a machine does adds nothing to it. */
  longestTaskProcessor: number;
  /** Processor time of all tasks. */
  processor: number;
}

/** Watches the main thread of a page while something is done to it. */
export async function watchMainThread(page: ChromiumPage, act: () => Promise<void>): Promise<MainThread> {
  const events: TraceEvent[] = [];
  page.on("Tracing.dataCollected", ({ value }) => events.push(...(value as TraceEvent[])));
  const complete = new Promise<void>((resolve) => page.on("Tracing.tracingComplete", () => resolve()));
  const categories = "disabled-by-default-devtools.timeline,toplevel,__metadata";
  await page.send("Tracing.start", { traceConfig: { includedCategories: categories.split(",") } });
  await act();
  await page.send("Tracing.end");
  await complete;
  return summarize(events);
}

function summarize(events: readonly TraceEvent[]): MainThread {
  // Another page's thread that is there too does next to nothing.
  const mains = events
    .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
    .map(({ pid, tid }) => `${pid} ${tid}`);
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => name === "RunTask" && ph === "X" && mains.includes(`${pid} ${tid}`),
  );
  const summary: MainThread = { longestTask: 0, longestTaskProcessor: 0, processor: 0 };
  for (const { dur = 0, tdur = 0 } of tasks) {
    summary.longestTask = Math.max(summary.longestTask, dur / 1000);
    summary.longestTaskProcessor = Math.max(summary.longestTaskProcessor, tdur / 1000);
    summary.processor += tdur / 1000;
  }
  return summary;
}
