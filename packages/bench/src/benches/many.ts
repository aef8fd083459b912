import { type CorpusParameters, HUGE_SHAPE, MANY_SHAPE } from "../corpus/plan.ts";
import type { BenchRow } from "../report.ts";
import { MEGABYTE, Stage } from "./bench.ts";
import { indexing } from "./indexing.ts";
import { records } from "./records.ts";
import { restart } from "./restart.ts";

/** What each session costs, however short it is: as many bytes as the usual corpus has, in many more files. */
export function many(stage: Stage): Promise<BenchRow[]> {
  return measureStart(stage, MANY_SHAPE);
}

/** The same of more sessions and bytes than most people have. */
export function huge(stage: Stage): Promise<BenchRow[]> {
  return measureStart(stage, HUGE_SHAPE);
}

async function measureStart(stage: Stage, shape: Partial<CorpusParameters>): Promise<BenchRow[]> {
  const own = new Stage({ ...shape, ...stage.shape });
  try {
    const rows = [
      ...(await records(own, { scanByPeer: 0.6, firstPageMs: 600 })),
      ...(await indexing(own, { byPeer: 1 / 1.3 })),
      ...(await restart(own, { scanMs: 1_000, listMs: 450 })),
    ];
    const { sessions, bytes } = own.corpus.manifest;
    const prefix = `${sessions} sessions, ${(bytes / (1000 * MEGABYTE)).toFixed(1)} GB`;
    return rows.map((row) => ({ ...row, what: `${prefix}: ${row.what}` }));
  } finally {
    own.close();
  }
}
