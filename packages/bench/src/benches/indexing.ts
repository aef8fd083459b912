import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { warmPageCache } from "../corpus/session-files.ts";
import { agentsviewSync, besideSync } from "../measure/agentsview.ts";
import { runThreads } from "../measure/threads.ts";
import type { IndexShare } from "../programs/index-worker.ts";
import { type BenchRow, judge } from "../report.ts";
import { type ColdIndex, MEGABYTE, type Stage, THREADS } from "./bench.ts";

/** How fast a corpus becomes searchable, and what that costs, beside the plain way with the same number of threads. */
export async function indexing(stage: Stage, targets = { byPeer: 1 }): Promise<BenchRow[]> {
  const textMegabytes = stage.corpus.manifest.textBytes / MEGABYTE;
  warmPageCache(stage.corpus.agentHome);
  const plain = await plainIndex(stage);
  warmPageCache(stage.corpus.agentHome);
  const cold = await stage.coldIndex();
  return [
    judge({
      what: "text searchable after a cold start, from the process start",
      measured: textMegabytes / cold.seconds,
      unit: "MB/s",
      reference: { name: `read, parse, FTS5 insert, ${THREADS} threads`, value: textMegabytes / plain.seconds },
      ratioAtLeast: targets.byPeer,
    }),
    ...indexCosts(cold, textMegabytes, { mostMemory: 500 }),
    judge({
      what: `index on disk, plain FTS5, ${THREADS} databases`,
      measured: plain.bytes / MEGABYTE,
      unit: "MB",
      reference: { name: "text covered", value: textMegabytes },
    }),
    ...besideAgentsview(stage, cold),
  ];
}

/** Seconds and disk beside a program of the same purpose, where that is installed. */
function besideAgentsview(stage: Stage, cold: ColdIndex): BenchRow[] {
  warmPageCache(stage.corpus.agentHome);
  const peer = agentsviewSync(stage.corpus.agentHome, stage.newDirectory());
  if (peer === null) return [];
  return [
    judge({
      what: "searchable after a cold start, from the process start",
      measured: cold.seconds,
      unit: "s",
      ...besideSync(peer),
    }),
    judge({
      what: "index on disk",
      measured: cold.indexBytes / MEGABYTE,
      unit: "MB",
      reference: { name: "agentsview, text included", value: peer.bytes / MEGABYTE },
    }),
  ];
}

/** What an index from nothing takes of memory and disk. @param mostMemory in megabytes. */
export function indexCosts(
  { peakMemory, indexBytes }: Pick<ColdIndex, "peakMemory" | "indexBytes">,
  textMegabytes: number,
  { mostMemory }: { mostMemory: number },
): BenchRow[] {
  return [
    judge({
      what: "peak memory of the process tree while indexing",
      measured: peakMemory === null ? null : peakMemory / MEGABYTE,
      unit: "MB",
      atMost: mostMemory,
    }),
    judge({
      what: "index on disk",
      measured: indexBytes / MEGABYTE,
      unit: "MB",
      reference: { name: "text covered", value: textMegabytes },
      ratioAtMost: 0.35,
    }),
  ];
}

async function plainIndex(stage: Stage): Promise<{ seconds: number; bytes: number }> {
  const directory = stage.newDirectory();
  mkdirSync(directory);
  const databases = Array.from({ length: THREADS }, (_, thread) => join(directory, `${thread}.db`));
  const { seconds, results } = await runThreads<string, IndexShare>("index-worker", stage.corpus.agentHome, databases);
  const textBytes = results.reduce((sum, share) => sum + share.textBytes, 0);
  if (textBytes !== stage.corpus.manifest.textBytes) throw new Error("The corpus does not hold the text it promises.");
  return { seconds, bytes: databases.reduce((sum, path) => sum + statSync(path).size, 0) };
}
