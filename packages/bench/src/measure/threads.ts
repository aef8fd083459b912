import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ENVIRONMENT } from "./environment.ts";
import { programUrl } from "./program-url.ts";

/** What every worker of a measurement is given. `Data` is its own share. */
export interface ThreadTask<Data> {
  paths: string[];
  /** Index of the next file that nobody has taken, shared by all workers. */
  cursor: SharedArrayBuffer;
  data: Data;
}

/** What the process that starts the workers is told, as JSON. */
export interface ThreadsToRun<Data> {
  /** Each worker's. */
  program: string;
  agentHome: string;
  shares: Data[];
}

export interface ThreadsRun<Result> {
  /** From the start of the process until the last worker is done, as the service is measured too. */
  seconds: number;
  results: Result[];
}

/**
 * Lets one worker running `program` for each item of `shares` work through all sessions together, in a process of their
 * own.
 */
export async function runThreads<Data, Result>(
  program: string,
  agentHome: string,
  shares: Data[],
): Promise<ThreadsRun<Result>> {
  const task: ThreadsToRun<Data> = { program, agentHome, shares };
  const args = [fileURLToPath(programUrl("threads")), JSON.stringify(task)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: ENVIRONMENT });
  return JSON.parse(stdout) as ThreadsRun<Result>;
}
