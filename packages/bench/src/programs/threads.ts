import { Worker } from "node:worker_threads";
import { type SessionFile, sessionFiles } from "../corpus/session-files.ts";
import type { ThreadsRun, ThreadsToRun, ThreadTask } from "../measure/threads.ts";

// The process of `runThreads`, which has told what to run.
const { program, agentHome, shares } = JSON.parse(process.argv[2] ?? "") as ThreadsToRun<unknown>;
// The largest first, so that the workers end together.
const bySize = (a: SessionFile, b: SessionFile): number => b.size - a.size;
const cursor = new SharedArrayBuffer(4);
const paths = sessionFiles(agentHome)
  .sort(bySize)
  .map((file) => file.path);
const results = await Promise.all(
  shares.map((data) => {
    const workerData: ThreadTask<unknown> = { paths, cursor, data };
    return resultOf(new Worker(new URL(`./${program}.js`, import.meta.url), { workerData }));
  }),
);
const run: ThreadsRun<unknown> = { seconds: performance.now() / 1000, results };
process.stdout.write(JSON.stringify(run));

function resultOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
