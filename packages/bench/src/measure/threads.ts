import { Worker } from "node:worker_threads";
import { type SessionFile, sessionFiles } from "../corpus/session-files.ts";
import { programUrl } from "./program-url.ts";

/** What every worker of a measurement is given. `Data` is its own share. */
export interface ThreadTask<Data> {
  paths: string[];
  /** Index of the next file that nobody has taken, shared by all workers. */
  cursor: SharedArrayBuffer;
  data: Data;
}

/**
 * Lets one worker running `program` for each item of `shares` work through all sessions together. The clock runs from
 * the moment when all have started until the last one is done.
 */
export async function runThreads<Data, Result>(
  program: string,
  agentHome: string,
  shares: Data[],
): Promise<{ seconds: number; results: Result[] }> {
  // The largest first, so that the workers end together.
  const bySize = (a: SessionFile, b: SessionFile): number => b.size - a.size;
  const paths = sessionFiles(agentHome)
    .sort(bySize)
    .map((file) => file.path);
  const cursor = new SharedArrayBuffer(4);
  const workers = shares.map((data) => {
    const workerData: ThreadTask<Data> = { paths, cursor, data };
    return new Worker(programUrl(program), { workerData });
  });
  try {
    await Promise.all(workers.map((worker) => nextMessage(worker)));
    const start = performance.now();
    const results = await Promise.all(
      workers.map((worker) => {
        const result = nextMessage<Result>(worker);
        worker.postMessage("start");
        return result;
      }),
    );
    return { seconds: (performance.now() - start) / 1000, results };
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function nextMessage<Message>(worker: Worker): Promise<Message> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
