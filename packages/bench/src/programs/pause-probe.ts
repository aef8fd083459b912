import { closeSync, openSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import type { Pauses } from "../measure/pause-probe.ts";

/**
 * Measures pauses of the event loop of the process that it is preloaded into, or, started as a program, of a process
 * that does nothing. Answers each message over IPC with the longest pauses since the one before.
 */
const INTERVAL_MS = 5;

if (isMainThread && process.send !== undefined) {
  // Of the main thread alone: nanoseconds on the processor, nanoseconds waited for it, turns.
  const schedule = openSync("/proc/self/schedstat", "r");
  const text = Buffer.alloc(64);
  process.once("exit", () => closeSync(schedule));
  const processorTime = () =>
    Number(text.toString("latin1", 0, readSync(schedule, text, 0, 64, 0)).split(" ")[0]) / 1e6;

  const none = (): Pauses => ({ milliseconds: 0, processorMilliseconds: 0 });
  let longest = none();
  let last = performance.now();
  let lastProcessor = processorTime();
  const look = () => {
    const now = performance.now();
    const processor = processorTime();
    longest.milliseconds = Math.max(longest.milliseconds, now - last - INTERVAL_MS);
    longest.processorMilliseconds = Math.max(longest.processorMilliseconds, processor - lastProcessor);
    last = now;
    lastProcessor = processor;
  };
  setInterval(look, INTERVAL_MS).unref();
  process.on("message", () => {
    look();
    process.send?.(longest);
    longest = none();
  });
  if (process.argv[1] !== fileURLToPath(import.meta.url)) process.channel?.unref();
}
