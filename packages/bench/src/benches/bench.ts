import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Corpus, openCorpus } from "../corpus/corpus.ts";
import { type CorpusParameters, DEFAULT_PARAMETERS } from "../corpus/plan.ts";
import { CAN_WATCH_PROCESSES, processorTime } from "../measure/process-tree.ts";
import { Service } from "../measure/service.ts";
import type { LoadOptions } from "../options.ts";
import type { BenchRow } from "../report.ts";

export const MEGABYTE = 1e6;
/** Threads of the plain paths that the service is compared with. */
export const THREADS = 2;

export type Bench = (stage: Stage, options: LoadOptions) => Promise<BenchRow[]>;

/** One complete indexing from nothing, measured from the outside. */
export interface ColdIndex {
  stateDirectory: string;
  /** From the start of the process until every session is searchable. */
  seconds: number;
  /** Bytes of the process tree, `null` where they cannot be read. */
  peakMemory: number | null;
  /** Bytes of the data directory without the user state, after the process has ended. */
  indexBytes: number;
}

/** What all benches of a run share. */
export class Stage {
  /** Where the corpus of this run differs from the usual one. */
  readonly shape: Partial<CorpusParameters>;
  readonly #directory = mkdtempSync(join(tmpdir(), "session-manager-bench-run-"));
  readonly #close = () => this.close();
  #corpus: Corpus | null = null;
  #coldIndex: Promise<ColdIndex> | null = null;
  #directories = 0;

  constructor(shape: Partial<CorpusParameters>) {
    this.shape = shape;
    process.once("exit", this.#close);
  }

  /** The corpus of this run, generated when it is first asked for: some benches bring their own. */
  get corpus(): Corpus {
    this.#corpus ??= openCorpus({ ...DEFAULT_PARAMETERS, ...this.shape });
    return this.#corpus;
  }

  /** The corpus if a bench has used it. */
  get openedCorpus(): Corpus | null {
    return this.#corpus;
  }

  /** A directory that does not exist yet, with an existing parent. */
  newDirectory(): string {
    return join(this.#directory, String(this.#directories++));
  }

  /** Starts the service for `use`, over the corpus or another agent home, and ends it whatever happens. */
  async withService<Result>(
    stateDirectory: string,
    use: (service: Service) => Promise<Result>,
    agentHome = this.corpus.agentHome,
  ): Promise<Result> {
    mkdirSync(stateDirectory, { recursive: true });
    const service = await Service.start(agentHome, stateDirectory);
    try {
      return await use(service);
    } finally {
      await service.process.stop();
    }
  }

  /** Indexes the corpus from nothing, once in a run. */
  coldIndex(): Promise<ColdIndex> {
    this.#coldIndex ??= this.#indexFromNothing();
    return this.#coldIndex;
  }

  /** Removes what the benches have left, which the end of the process does too. */
  close(): void {
    process.off("exit", this.#close);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #indexFromNothing(): Promise<ColdIndex> {
    const stateDirectory = this.newDirectory();
    const measured = await this.withService(stateDirectory, async (service) => {
      await service.ready();
      const seconds = service.process.elapsed() / 1000;
      await untilIdle(service.process.pid);
      return { seconds, peakMemory: service.process.memory.peak };
    });
    const data = join(stateDirectory, "data");
    const indexBytes = readdirSync(data)
      .filter((name) => !name.startsWith("state."))
      .reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
    return { stateDirectory, indexBytes, ...measured };
  }
}

const IDLE_CHECK_MS = 1_000;

/** Waits until a process does nothing any more: when all can be searched, the service still merges its index. */
export async function untilIdle(pid: number): Promise<void> {
  if (!CAN_WATCH_PROCESSES) return;
  for (let before = processorTime(pid); ; ) {
    await pause(IDLE_CHECK_MS);
    const now = processorTime(pid);
    if (now - before < 0.02) return;
    before = now;
  }
}
