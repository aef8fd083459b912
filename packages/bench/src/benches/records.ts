import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sessionFiles, warmPageCache } from "../corpus/session-files.ts";
import { median } from "../measure/percentile.ts";
import { programUrl } from "../measure/program-url.ts";
import { runThreads } from "../measure/threads.ts";
import type { AgentListing } from "../programs/list-all.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage, THREADS } from "./bench.ts";

const RUNS = 3;
const FIRST_PAGE = 50;
const POLL_MS = 5;
const TIMEOUT_MS = 120_000;

interface RecordsTargets {
  /** Time of reading all records by that of the agent's own listing. */
  scanByPeer: number;
  firstPageMs: number;
}

const TARGETS: RecordsTargets = {
  scanByPeer: 0.45,
  // Node 22 and later keep compiled code.
  firstPageMs: Number.parseInt(process.versions.node, 10) < 22 ? 450 : 350,
};

/** How fast all records of an unknown corpus are read, beside the limit of the language and the agent's own listing. */
export async function records(stage: Stage, targets = TARGETS): Promise<BenchRow[]> {
  const { manifest, agentHome } = stage.corpus;
  const megabytes = manifest.bytes / MEGABYTE;
  const decodings: number[] = [];
  const scans: number[] = [];
  const firstPages: number[] = [];
  // Taking turns, so that a busy moment of the machine does not fall on one of them alone.
  for (let run = 0; run < RUNS; run++) {
    // Before each: on some virtual machines the host takes pages back after seconds, and the next reader pays for it.
    warmPageCache(agentHome);
    decodings.push(await decodeAndParse(agentHome));
    warmPageCache(agentHome);
    scans.push(await coldScan(stage));
    warmPageCache(agentHome);
    firstPages.push(await coldFirstPage(stage));
  }
  const scan = median(scans);
  warmPageCache(agentHome);
  const agent = await listAll(agentHome);
  return [
    judge({
      what: "all records, cold, from the process start",
      measured: megabytes / scan,
      unit: "MB/s",
      reference: { name: `decode and JSON.parse, ${THREADS} threads`, value: megabytes / median(decodings) },
    }),
    judge({
      what: "scan_sessions answers, cold, from the process start",
      measured: scan,
      unit: "s",
      reference: { name: "SessionManager.listAll of the agent", value: agent.seconds },
      ratioAtMost: targets.scanByPeer,
    }),
    judge({
      what: "SessionManager.listAll of the agent, peak memory",
      measured: agent.peakMemory / MEGABYTE,
      unit: "MB",
    }),
    judge({
      what: `list_sessions has the newest ${FIRST_PAGE}, cold, from the process start`,
      measured: median(firstPages),
      unit: "ms",
      atMost: targets.firstPageMs,
    }),
  ];
}

/** Seconds from the process start. */
async function decodeAndParse(agentHome: string): Promise<number> {
  const shares = Array.from({ length: THREADS }, () => null);
  return (await runThreads("decode-worker", agentHome, shares)).seconds;
}

/** Seconds from the process start. */
function coldScan(stage: Stage): Promise<number> {
  return stage.withService(stage.newDirectory(), async (service) => {
    const found = await service.scanSessions();
    const seconds = service.process.elapsed() / 1000;
    const { sessions } = stage.corpus.manifest;
    if (found.length !== sessions) throw new Error(`scan_sessions found ${found.length} of ${sessions} sessions.`);
    return seconds;
  });
}

/** Milliseconds from the process start. */
function coldFirstPage(stage: Stage): Promise<number> {
  const { agentHome } = stage.corpus;
  const files = sessionFiles(agentHome).sort((a, b) => b.modifiedAt - a.modifiedAt);
  // The order in the list is that of messages: a later label or command may shift a file by a place or two.
  const newest = new Set(files.slice(0, FIRST_PAGE + 10).map(({ path }) => path));
  const wanted = Math.min(FIRST_PAGE, files.length);
  return stage.withService(stage.newDirectory(), async (service) => {
    while (service.process.elapsed() < TIMEOUT_MS) {
      const { sessions } = await service.listSessions(FIRST_PAGE);
      if (sessions.filter(({ path }) => newest.has(path)).length === wanted) return service.process.elapsed();
      await pause(POLL_MS);
    }
    throw new Error(`list_sessions did not have the newest ${wanted} sessions within ${TIMEOUT_MS} ms.`);
  });
}

async function listAll(agentHome: string): Promise<AgentListing> {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(programUrl("list-all"))], {
    env: { ...process.env, PI_CODING_AGENT_DIR: join(agentHome, "agent"), PI_OFFLINE: "1" },
  });
  return JSON.parse(stdout) as AgentListing;
}
