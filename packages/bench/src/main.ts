import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { appends } from "./benches/appends.ts";
import { type Bench, MEGABYTE, Stage } from "./benches/bench.ts";
import { http } from "./benches/http.ts";
import { idle } from "./benches/idle.ts";
import { indexing } from "./benches/indexing.ts";
import { records } from "./benches/records.ts";
import { restart } from "./benches/restart.ts";
import { search } from "./benches/search.ts";
import { sockets } from "./benches/sockets.ts";
import { type Corpus, openCorpus } from "./corpus/corpus.ts";
import { type Options, parseOptions, usage } from "./options.ts";
import { type BenchRow, failure, formatTable, judge } from "./report.ts";

const BENCHES: Record<string, Bench> = { records, indexing, restart, search, idle, http, sockets, appends };

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Exit codes: 1 for a bench that failed, or with `--strict` for a missed target; 2 for a wrong call. */
async function main(argv: string[]): Promise<number> {
  const names = Object.keys(BENCHES);
  let options: Options;
  try {
    options = parseOptions(argv, names);
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\n\n${usage(names)}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(usage(names));
    return 0;
  }
  const machine = describeMachine();
  say("corpus …");
  const corpus = openCorpus(options.corpus);
  say(describeCorpus(corpus));
  const { rows, failed } = await runBenches(corpus, options.benches);
  process.stdout.write(`\n${machine}\n${describeCorpus(corpus)}\n\n${formatTable(rows)}\n`);
  if (options.json !== null) {
    writeFileSync(options.json, `${JSON.stringify({ machine, corpus: corpus.manifest, rows }, null, 2)}\n`);
  }
  return failed || (options.strict && rows.some((row) => row.pass === false)) ? 1 : 0;
}

async function runBenches(corpus: Corpus, names: string[]): Promise<{ rows: BenchRow[]; failed: boolean }> {
  const rows: BenchRow[] = [];
  if (corpus.generatedIn !== null) {
    const rate = corpus.manifest.bytes / MEGABYTE / corpus.generatedIn;
    rows.push(judge({ what: "corpus generated", measured: rate, unit: "MB/s" }));
  }
  const stage = new Stage(corpus);
  process.once("exit", () => stage.close());
  let failed = false;
  for (const name of names) {
    say(`${name} …`);
    try {
      rows.push(...((await BENCHES[name]?.(stage)) ?? []));
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
