import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { appends } from "./benches/appends.ts";
import { type Bench, MEGABYTE, Stage } from "./benches/bench.ts";
import { corpus } from "./benches/corpus.ts";
import { exporting } from "./benches/export.ts";
import { footprint } from "./benches/footprint.ts";
import { formats } from "./benches/formats.ts";
import { http } from "./benches/http.ts";
import { hub } from "./benches/hub.ts";
import { hubChaos } from "./benches/hub-chaos.ts";
import { hubScale } from "./benches/hub-scale.ts";
import { idle } from "./benches/idle.ts";
import { indexing } from "./benches/indexing.ts";
import { live } from "./benches/live.ts";
import { huge, many } from "./benches/many.ts";
import { memory } from "./benches/memory.ts";
import { organise } from "./benches/organise.ts";
import { page } from "./benches/page.ts";
import { records } from "./benches/records.ts";
import { relevance } from "./benches/relevance.ts";
import { restart } from "./benches/restart.ts";
import { scale } from "./benches/scale.ts";
import { search } from "./benches/search.ts";
import { sockets } from "./benches/sockets.ts";
import { statistics } from "./benches/statistics.ts";
import { terminals } from "./benches/terminals.ts";
import { textIndex } from "./benches/text-index.ts";
import { vault } from "./benches/vault.ts";
import { web } from "./benches/web.ts";
import type { Corpus } from "./corpus/corpus.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { type BenchRow, failure, formatTable } from "./report.ts";

const BENCHES: Record<string, Bench> = {
  corpus,
  records: (stage) => records(stage),
  indexing: (stage) => indexing(stage),
  restart: (stage) => restart(stage),
  search,
  relevance,
  idle,
  http,
  sockets,
  appends,
  export: exporting,
  organise,
  terminals,
  live,
  page,
  web,
  many,
  huge,
  scale,
  statistics,
  "text-index": textIndex,
  footprint,
  formats: (stage) => formats(stage),
  vault: (stage) => vault(stage),
  memory: (stage) => memory(stage),
  hub: (stage) => hub(stage),
  "hub-chaos": hubChaos,
  "hub-scale": hubScale,
};
/** Each takes as long as all the others, and several gigabytes of disk. */
const ON_REQUEST = [
  "huge",
  "scale",
  "statistics",
  "text-index",
  "footprint",
  "formats",
  "vault",
  "memory",
  "hub",
  "hub-chaos",
];

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Exit codes: 1 for a bench that failed, or with `--strict` for a missed target; 2 for a wrong call. */
async function main(argv: string[]): Promise<number> {
  const names = Object.keys(BENCHES);
  let options: Options;
  try {
    options = parseOptions(argv, names, ON_REQUEST);
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\n\n${usage(names, ON_REQUEST)}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(usage(names, ON_REQUEST));
    return 0;
  }
  const machine = describeMachine();
  const stage = new Stage(options.shape);
  const { rows, failed } = await runBenches(stage, options);
  const { openedCorpus } = stage;
  const head = openedCorpus === null ? machine : `${machine}\n${describeCorpus(openedCorpus)}`;
  process.stdout.write(`\n${head}\n\n${formatTable(rows)}\n`);
  if (options.json !== null) {
    const report = { machine, corpus: openedCorpus?.manifest ?? null, rows };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  return failed || (options.strict && rows.some((row) => row.pass === false)) ? 1 : 0;
}

async function runBenches(stage: Stage, options: Options): Promise<{ rows: BenchRow[]; failed: boolean }> {
  const rows: BenchRow[] = [];
  let failed = false;
  for (const name of options.benches) {
    say(`${name} …`);
    try {
      rows.push(...((await BENCHES[name]?.(stage, options)) ?? []));
    } catch (error) {
      // The others may still have something to say.
      say(error instanceof Error ? (error.stack ?? error.message) : String(error));
      rows.push(failure(name, error));
      failed = true;
    }
  }
  return { rows, failed };
}

/** The load tells a reader whether the figures were disturbed. */
function describeMachine(): string {
  const processors = cpus();
  const [load = 0] = loadavg();
  return `${processors.length} × ${processors[0]?.model.trim() ?? "unknown"}, Node ${process.version}, load ${load.toFixed(1)} at the start`;
}

function describeCorpus({ manifest, agentHome }: Corpus): string {
  const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(0)} MB`;
  return `${manifest.sessions} sessions, ${megabytes(manifest.bytes)}, text ${megabytes(manifest.textBytes)}, in ${agentHome}`;
}

// Ending through process.exit runs the handlers that remove what a run leaves behind.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
process.exitCode = await main(process.argv.slice(2));
