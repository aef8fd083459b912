import { spawn } from "node:child_process";
import { once } from "node:events";
import { CAN_WATCH_PROCESSES, endedChildrenTime, MemorySampler } from "./process-tree.ts";

const KEPT_OUTPUT_CHARACTERS = 2_000;

/** What a program has used from its start to its end. */
export interface ProgramRun {
  seconds: number;
  /** `null` where it cannot be read, as the memory. */
  processorSeconds: number | null;
  /** Bytes. */
  peakMemory: number | null;
}

/**
 * Runs a program of Node to its end. No other child of this process may end meanwhile.
 *
 * @throws when it fails, with what it said last.
 */
export async function runProgram(program: string, args: string[], env = process.env): Promise<ProgramRun> {
  const before = CAN_WATCH_PROCESSES ? endedChildrenTime() : 0;
  const start = performance.now();
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"], env });
  const memory = new MemorySampler(child.pid ?? process.pid);
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let said = "";
  const keep = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-KEPT_OUTPUT_CHARACTERS);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  try {
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${program} ended with ${code}:\n${said}`);
    const seconds = (performance.now() - start) / 1000;
    const processorSeconds = CAN_WATCH_PROCESSES ? endedChildrenTime() - before : null;
    return { seconds, processorSeconds, peakMemory: memory.peak };
  } finally {
    memory.stop();
    process.off("exit", kill);
  }
}
