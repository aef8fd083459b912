import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SessionRecord, VaultStatus } from "@sm/core";
import { type Corpus, openCorpus } from "../corpus/corpus.ts";
import { DEFAULT_PARAMETERS } from "../corpus/plan.ts";
import { Random } from "../corpus/random.ts";
import { sessionFiles, warmPageCache } from "../corpus/session-files.ts";
import { percentile } from "../measure/percentile.ts";
import type { Service } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

const RUNS = 3;
const LARGE_BYTES = 80_000_000;
const PAGES = 200;
const PAGE_ENTRIES = 100;
const POLL_MS = 50;

/** How much longer a first reading takes with the vault, and how fast a session is read whose file is gone. */
export async function vaultOfService(stage: Stage, corpus: Corpus): Promise<BenchRow[]> {
  return [...(await firstReading(stage, corpus)), ...(await vanishedPages(stage))];
}

async function firstReading(stage: Stage, corpus: Corpus): Promise<BenchRow[]> {
  const searchable = new Map<boolean, number[]>([true, false].map((isOn) => [isOn, []]));
  const kept: number[] = [];
  // Taking turns, so that a busy moment of the machine does not fall on one of them alone.
  for (let run = 0; run < RUNS; run++) {
    for (const [isOn, times] of searchable) {
      const state = stage.newDirectory();
      mkdirSync(join(state, "config"), { recursive: true });
      writeFileSync(join(state, "config", "session-manager.json"), JSON.stringify({ vault: { enabled: isOn } }));
      warmPageCache(corpus.agentHome);
      await stage.withService(
        state,
        async (service) => {
          await service.ready();
          times.push(service.process.elapsed() / 1000);
          if (!isOn) return;
          await untilKept(service, corpus.manifest.sessions);
          kept.push(service.process.elapsed() / 1000);
        },
        corpus.agentHome,
      );
      rmSync(state, { recursive: true });
    }
  }
  const seconds = (isOn: boolean) => Math.min(...(searchable.get(isOn) ?? []));
  const megabytes = Math.round(corpus.manifest.bytes / MEGABYTE);
  return [
    judge({
      what: `${megabytes} MB searchable after a cold start, with the vault`,
      measured: seconds(true),
      unit: "s",
      reference: { name: "without", value: seconds(false) },
      ratioAtMost: 1.25,
    }),
    judge({
      what: `${megabytes} MB searchable and kept after a cold start`,
      measured: Math.min(...kept),
      unit: "s",
      reference: { name: "searchable without the vault", value: seconds(false) },
    }),
  ];
}

async function untilKept(service: Service, sessions: number): Promise<void> {
  for (;;) {
    const status = (await service.command("get_vault_status", {})) as VaultStatus;
    if (status.problems.length > 0) throw new Error(`The vault has problems: ${status.problems.join(" ")}`);
    if (status.sessions >= sessions && status.pending === 0) return;
    await pause(POLL_MS);
  }
}

/** Pages anywhere in a session of 80 MB, as a client gets them. */
async function vanishedPages(stage: Stage): Promise<BenchRow[]> {
  const { agentHome } = openCorpus({ ...DEFAULT_PARAMETERS, bytes: LARGE_BYTES, sessions: 1 });
  const home = stage.newDirectory();
  cpSync(agentHome, home, { recursive: true });
  const [{ path, size } = { path: "", size: 0 }] = sessionFiles(home);
  const times = await stage.withService(
    stage.newDirectory(),
    async (service) => {
      await service.ready();
      await untilKept(service, 1);
      rmSync(path);
      while (!(await isFromVault(service))) await pause(POLL_MS);
      const entries = await service.readTree(path);
      const random = new Random(1);
      const readings: number[] = [];
      for (let page = 0; page < PAGES; page++) {
        const before = entries[random.below(entries.length)]?.id;
        const start = performance.now();
        await service.command("read_session_entries", { path, before, limit: PAGE_ENTRIES });
        readings.push(performance.now() - start);
      }
      return readings;
    },
    home,
  );
  const what = `page of ${PAGE_ENTRIES} entries anywhere in a vanished session of ${Math.round(size / MEGABYTE)} MB`;
  return [
    judge({ what: `${what}, median`, measured: percentile(times, 0.5), unit: "ms" }),
    judge({ what: `${what}, 99 %`, measured: percentile(times, 0.99), unit: "ms", atMost: 50 }),
  ];
}

async function isFromVault(service: Service): Promise<boolean> {
  const [record] = (await service.scanSessions()) as SessionRecord[];
  return record?.source === "vault";
}
