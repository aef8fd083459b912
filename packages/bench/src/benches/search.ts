import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { SearchOptions } from "@sm/core";
import { COMMON_BIGRAMS } from "../corpus/cjk.ts";
import type { Needle, NeedleForm } from "../corpus/needle.ts";
import { COMMON_WORDS } from "../corpus/words.ts";
import { median, percentile } from "../measure/percentile.ts";
import type { Service } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";
import type { Stage } from "./bench.ts";

const WARM_UP_QUERIES = 20;
const RIPGREP_RUNS = 5;

/** How long answers take over HTTP, one at a time, and whether every needle is found. */
export async function search(stage: Stage): Promise<BenchRow[]> {
  const { stateDirectory } = await stage.coldIndex();
  const { needles } = stage.corpus;
  const queries = (form: NeedleForm): string[] =>
    needles.filter((needle) => needle.form === form).map(({ query }) => query);
  const rare = queries("word");
  return stage.withService(stateDirectory, async (service) => {
    await service.ready();
    for (const word of COMMON_WORDS.slice(-WARM_UP_QUERIES)) await service.search({ query: word, role: "user" });
    const ripgrep = ripgrepTime(stage.corpus.agentHome, rare);
    const rows = await latencies(service, [
      { what: "rare word", queries: rare, slowest: 20 },
      { what: "common word", queries: [...COMMON_WORDS], slowest: 100 },
      { what: "two common words", queries: neighbours(COMMON_WORDS), slowest: 100 },
      { what: "phrase", queries: queries("phrase") },
      { what: "identifier", queries: queries("identifier") },
      { what: "part of an identifier", queries: queries("identifier_part") },
      { what: "two CJK characters, rare", queries: queries("cjk") },
      { what: "two CJK characters, common", queries: [...COMMON_BIGRAMS] },
    ]);
    return [
      ...rows,
      judge({
        what: "ripgrep (rg -a), rare word, all files",
        measured: ripgrep,
        unit: "ms",
        ...(ripgrep === null ? { note: "rg is not on the PATH" } : {}),
      }),
      ...(await recall(service, stage.corpus.agentHome, needles)),
    ];
  });
}

async function latencies(
  service: Service,
  subjects: { what: string; queries: string[]; slowest?: number }[],
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { what, queries, slowest } of subjects) {
    if (queries.length === 0) continue;
    const times: number[] = [];
    for (const query of queries) {
      const start = performance.now();
      await service.search({ query, role: "all" });
      times.push(performance.now() - start);
    }
    rows.push(
      judge({ what: `search, ${what}, p50`, measured: median(times), unit: "ms" }),
      judge({
        what: `search, ${what}, p99`,
        measured: percentile(times, 0.99),
        unit: "ms",
        ...(slowest === undefined ? {} : { atMost: slowest }),
      }),
    );
  }
  return rows;
}

function neighbours(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

/** The share of needles that a search finds, among all roles and in the narrowest one. */
async function recall(service: Service, agentHome: string, needles: Needle[]): Promise<BenchRow[]> {
  const missed: string[] = [];
  for (const needle of needles) {
    const roles: SearchOptions["role"][] = needle.role === "all" ? ["all"] : ["all", needle.role];
    for (const role of roles) {
      const { hits } = await service.search({ query: needle.query, role });
      const found = hits.some(
        (hit) =>
          hit.session_path === join(agentHome, needle.path) &&
          hit.kind === needle.kind &&
          // A label may be shown at the entry that bears it.
          (hit.entry_id === needle.entryId || needle.kind === "label"),
      );
      if (!found) missed.push(`${needle.place}, ${needle.form}, role ${role}: ${needle.query}`);
    }
  }
  for (const line of missed) process.stderr.write(`not found: ${line}\n`);
  const searches = needles.reduce((sum, { role }) => sum + (role === "all" ? 1 : 2), 0);
  return [
    judge({
      what: `recall of ${needles.length} planted texts, all kinds and roles`,
      measured: 100 * (1 - missed.length / searches),
      unit: "%",
      atLeast: 100,
    }),
  ];
}

/** The median over some searches in milliseconds, `null` without ripgrep. */
function ripgrepTime(agentHome: string, words: string[]): number | null {
  const times: number[] = [];
  for (const word of words.slice(0, RIPGREP_RUNS)) {
    const start = performance.now();
    const { error } = spawnSync("rg", ["-a", "-F", "-i", "-l", word, agentHome], { stdio: "ignore" });
    if (error !== undefined) return null;
    times.push(performance.now() - start);
  }
  return times.length === 0 ? null : median(times);
}
