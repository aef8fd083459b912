import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

/** Generates the corpus of the run, or takes the one that an earlier run left. */
export async function corpus(stage: Stage): Promise<BenchRow[]> {
  const { manifest, generatedIn } = stage.corpus;
  if (generatedIn === null) return [];
  return [judge({ what: "corpus generated", measured: manifest.bytes / MEGABYTE / generatedIn, unit: "MB/s" })];
}
