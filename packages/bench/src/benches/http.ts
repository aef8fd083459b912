import { fileURLToPath } from "node:url";
import { requestsPerSecond } from "../measure/load.ts";
import { programUrl } from "../measure/program-url.ts";
import { ServerProcess } from "../measure/server-process.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";

const ROUNDS = 3;
const SECONDS_PER_ROUND = 3;
const PING = JSON.stringify({ command: "ping", payload: {} });

/** Requests a second through the whole service, beside the framework alone, taking turns. */
export async function http(stage: Stage): Promise<BenchRow[]> {
  const { stateDirectory } = await stage.coldIndex();
  return stage.withService(stateDirectory, async (service) => {
    await service.ready();
    const bare = await ServerProcess.start(fileURLToPath(programUrl("bare-hono")), []);
    try {
      let most = 0;
      let mostBare = 0;
      for (let round = 0; round < ROUNDS; round++) {
        mostBare = Math.max(mostBare, await requestsPerSecond(bare.url, PING, SECONDS_PER_ROUND));
        most = Math.max(most, await requestsPerSecond(service.process.url, PING, SECONDS_PER_ROUND));
      }
      return [
        judge({
          what: "ping over POST /api, 16 connections",
          measured: most,
          unit: "requests/s",
          reference: { name: "bare Hono handler", value: mostBare },
          ratioAtLeast: 0.7,
        }),
      ];
    } finally {
      await bare.stop();
    }
  });
}
