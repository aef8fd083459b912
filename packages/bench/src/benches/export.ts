import { copyFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sessionFiles } from "../corpus/session-files.ts";
import { openPage, type PageOpening } from "../measure/page-opening.ts";
import { median } from "../measure/percentile.ts";
import { type ProgramRun, runProgram } from "../measure/program-run.ts";
import { BINARY } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

const RUNS = 3;
const LARGE_BYTES = 50e6;
/** As a long session of a real user. */
const USUAL_BYTES = 1e6;
const FORMATS = ["html", "markdown", "json"] as const;
/** What a page has beside what is in the session. */
const MAX_OVERHEAD_KB = 120;
const OPEN_WITHIN_MS = 2_000;

/** One of several runs that did the same. */
interface Exported extends ProgramRun {
  bytes: number;
}

/** A home with two sessions of the corpus and an empty one, and where their exports go. */
interface Setting {
  agentHome: string;
  stateDirectory: string;
  sessions: { name: string; path: string }[];
  empty: string;
  output: string;
}

/** What an export costs, beside the agent's own, and how soon a browser has its page open. */
export async function exporting(stage: Stage): Promise<BenchRow[]> {
  const setting = prepare(stage);
  const { agentHome, stateDirectory, sessions, output } = setting;
  // What is measured is the export, without an index that is made beside it.
  await stage.withService(stateDirectory, (service) => service.ready(), agentHome);
  const rows: BenchRow[] = [];
  for (const { name, path } of sessions) {
    const agent = await repeat(() => exportByAgent(path, output));
    for (const format of FORMATS) {
      const page = join(output, `${name}.${format}`);
      const own = await repeat(() => exportByService(setting, path, format, page));
      rows.push(...compare(`${name} as ${format}`, own, format === "html" ? agent : null));
    }
    rows.push(...(await opening(`${name}, own page`, join(output, `${name}.html`), stage, OPEN_WITHIN_MS)));
    rows.push(...(await opening(`${name}, the agent's page`, join(output, "agent.html"), stage)));
  }
  const { bytes } = await exportByService(setting, setting.empty, "html", join(output, "empty.html"));
  rows.push(judge({ what: "page of an empty session", measured: bytes / 1000, unit: "KB", atMost: MAX_OVERHEAD_KB }));
  return rows;
}

function prepare(stage: Stage): Setting {
  const agentHome = stage.newDirectory();
  const output = stage.newDirectory();
  const folder = join(agentHome, "agent", "sessions", "--home-user-project--");
  for (const directory of [folder, output]) mkdirSync(directory, { recursive: true });
  const files = sessionFiles(stage.corpus.agentHome).sort((a, b) => a.size - b.size);
  const sessions = [USUAL_BYTES, LARGE_BYTES].map((bytes) => {
    const file = files.find(({ size }) => size >= bytes) ?? files.at(-1);
    if (file === undefined) throw new Error("The corpus has no sessions.");
    const name = `${(file.size / MEGABYTE).toFixed(file.size < 10e6 ? 1 : 0)} MB`;
    const path = join(folder, `${name}.jsonl`);
    copyFileSync(file.path, path);
    return { name, path };
  });
  const empty = join(folder, "empty.jsonl");
  const timestamp = "2026-01-01T10:00:00.000Z";
  writeFileSync(
    empty,
    `${JSON.stringify({ type: "session", version: 3, id: "empty", timestamp, cwd: "/home/user" })}\n`,
  );
  return { agentHome, stateDirectory: stage.newDirectory(), sessions, empty, output };
}

async function exportByService(setting: Setting, path: string, format: string, page: string): Promise<Exported> {
  const { agentHome, stateDirectory } = setting;
  const run = await runProgram(BINARY, [
    ...["export", path, "--format", format, "--output", page, "--force", "--agent-home", agentHome],
    ...["--config-dir", join(stateDirectory, "config"), "--data-dir", join(stateDirectory, "data")],
  ]);
  return { ...run, bytes: statSync(page).size };
}

/** `pi --export`, which sees nothing of the user's own home. */
async function exportByAgent(path: string, output: string): Promise<Exported> {
  const program = fileURLToPath(new URL("cli.js", import.meta.resolve("@earendil-works/pi-coding-agent")));
  const page = join(output, "agent.html");
  const run = await runProgram(program, ["--export", path, page], { ...process.env, HOME: output, PI_OFFLINE: "1" });
  return { ...run, bytes: statSync(page).size };
}

async function repeat(run: () => Promise<Exported>): Promise<Exported[]> {
  const runs: Exported[] = [];
  while (runs.length < RUNS) runs.push(await run());
  return runs;
}

function compare(what: string, own: Exported[], agent: Exported[] | null): BenchRow[] {
  const figures: [name: string, unit: string, of: (run: Exported) => number | null][] = [
    ["from start to end", "s", ({ seconds }) => seconds],
    ["processor time", "s", ({ processorSeconds }) => processorSeconds],
    ["peak memory", "MB", ({ peakMemory }) => (peakMemory === null ? null : peakMemory / MEGABYTE)],
    ["size", "MB", ({ bytes }) => bytes / MEGABYTE],
  ];
  return figures.map(([name, unit, of]) => {
    const measured = middle(own.map(of));
    const peer = agent === null ? null : middle(agent.map(of));
    const reference = peer === null ? {} : { reference: { name: "the agent's export", value: peer } };
    return judge({ what: `${what}, ${name}`, measured, unit, ...reference, ...(measured === null ? NEEDS_LINUX : {}) });
  });
}

const NEEDS_LINUX = { note: "needs Linux" };

function middle(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
}

async function opening(what: string, page: string, stage: Stage, atMost?: number): Promise<BenchRow[]> {
  const openings: PageOpening[] = [];
  for (let run = 0; run < RUNS; run++) {
    const opened = await openPage(pathToFileURL(page).href, stage.newDirectory());
    if (opened === null) return [judge({ what: `${what} opens`, measured: null, unit: "ms", note: "needs chromium" })];
    openings.push(opened);
  }
  const limit = atMost === undefined ? {} : { atMost };
  return [
    judge({
      what: `${what} in Chromium, first contentful paint`,
      measured: median(openings.map(({ firstContentfulPaint }) => firstContentfulPaint)),
      unit: "ms",
      ...limit,
    }),
    judge({
      what: `${what} in Chromium, load`,
      measured: median(openings.map(({ load }) => load)),
      unit: "ms",
      ...limit,
    }),
  ];
}
