import { spawnSync } from "node:child_process";
import { median } from "./percentile.ts";

const RUNS = 5;

/** Milliseconds in which ripgrep finds the files with a text, the median over some of them; `null` without ripgrep. */
export function ripgrepTime(directory: string, texts: readonly string[]): number | null {
  const times: number[] = [];
  for (const text of texts.slice(0, RUNS)) {
    const start = performance.now();
    const { error } = spawnSync("rg", ["-a", "-F", "-i", "-l", text, directory], { stdio: "ignore" });
    if (error !== undefined) return null;
    times.push(performance.now() - start);
  }
  return times.length === 0 ? null : median(times);
}
