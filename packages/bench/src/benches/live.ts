import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, percentile } from "../measure/percentile.ts";
import { CAN_WATCH_PROCESSES, processorTime } from "../measure/process-tree.ts";
import { programUrl } from "../measure/program-url.ts";
import { ServiceSocket } from "../measure/service-socket.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";

const AGENTS = 20;
/** Time that the first deltas take while everything runs for the first time. */
const WARM_UP_MS = 2_000;

/** How soon a client sees what agents say, many of them at once. */
export async function live(stage: Stage): Promise<BenchRow[]> {
  const directory = stage.newDirectory();
  const stateDirectory = stage.newDirectory();
  mkdirSync(directory);
  mkdirSync(join(stateDirectory, "config"), { recursive: true });
  const agent = join(directory, "agent.sh");
  writeFileSync(agent, `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(programUrl("streaming-agent"))}'\n`);
  chmodSync(agent, 0o755);
  writeFileSync(join(stateDirectory, "config", "session-manager.json"), JSON.stringify({ agent_command: agent }));
  return stage.withService(
    stateDirectory,
    async (service) => {
      await service.ready();
      return streaming(service.process.url, service.process.pid, directory);
    },
    directory,
  );
}

async function streaming(url: string, pid: number, cwd: string): Promise<BenchRow[]> {
  const socket = await ServiceSocket.open(url);
  const ids: string[] = [];
  for (let count = 0; count < AGENTS; count++) {
    const { session_id } = await socket.command<{ session_id: string }>("start_coding_session", { cwd });
    ids.push(session_id);
  }
  const lags: number[] = [];
  const start = performance.now();
  let running = AGENTS;
  const ended = new Promise<void>((resolve) => {
    socket.onEvent = ({ event, payload }) => {
      if (event !== "live-session-event") return;
      const now = performance.timeOrigin + performance.now();
      const record = payload.event as { type: string; assistantMessageEvent?: { delta?: string } };
      const writtenAt = Number(record.assistantMessageEvent?.delta);
      if (writtenAt > performance.timeOrigin + start + WARM_UP_MS) lags.push(now - writtenAt);
      if (record.type !== "agent_end") return;
      running--;
      if (running === 0) resolve();
    };
  });
  const before = CAN_WATCH_PROCESSES ? processorTime(pid) : 0;
  for (const session_id of ids) await socket.command("send_coding_agent_rpc", { session_id, prompt: "Go on." });
  await ended;
  const used = CAN_WATCH_PROCESSES ? processorTime(pid) - before : null;
  const seconds = (performance.now() - start) / 1000;
  for (const session_id of ids) await socket.command("stop_coding_session", { session_id });
  socket.close();
  const what = `${AGENTS} agents, ${(lags.length / (seconds - WARM_UP_MS / 1000)).toFixed(0)} deltas a second`;
  return [
    judge({ what: `${what}, agent → client, median`, measured: median(lags), unit: "ms" }),
    judge({ what: `${what}, agent → client, 99 %`, measured: percentile(lags, 0.99), unit: "ms", atMost: 100 }),
    judge({
      what: `${what}, processor time with the agents`,
      measured: used === null ? null : (100 * used) / seconds,
      unit: "% of a core",
      ...(used === null ? { note: "needs Linux" } : {}),
    }),
  ];
}
