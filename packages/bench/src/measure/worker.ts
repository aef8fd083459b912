import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadTask } from "./threads.ts";

const LF = 0x0a;

export interface LineWork {
  onLine(line: string): void;
  /** Ends the work and says what came of it. */
  finish(): unknown;
}

/** The worker's side of {@link runThreads}: works through the lines of every file it gets. */
export function workThroughLines<Data>(open: (data: Data) => LineWork): void {
  const port = parentPort;
  if (port === null) throw new Error("This program runs in a worker thread only.");
  const { paths, cursor, data } = workerData as ThreadTask<Data>;
  const next = new Int32Array(cursor);
  const work = open(data);
  for (let path = paths[Atomics.add(next, 0, 1)]; path !== undefined; path = paths[Atomics.add(next, 0, 1)]) {
    const bytes = readFileSync(path);
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      work.onLine(bytes.toString("utf8", start, end));
      start = end + 1;
    }
  }
  port.postMessage(work.finish());
}
