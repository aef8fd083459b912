import type { Corpus } from "../corpus/corpus.ts";
import { rareWord } from "../corpus/rare-word.ts";
import { COMMON_WORDS } from "../corpus/words.ts";
import { percentile } from "../measure/percentile.ts";
import type { Service } from "../measure/service.ts";
import { type BenchRow, judge, type Measurement } from "../report.ts";
import type { HubStack } from "./hub-stack.ts";
import { usedFor } from "./used-time.ts";

const CLIENTS = 8;
/** Of each kind. */
const QUERIES = 400;
/** Of all kinds: 3,600 searches. */
const WARMING_ROUNDS = 3;

export interface SearchKind {
  what: string;
  queries: readonly string[];
  /** Milliseconds of the slowest but one of a hundred. */
  p99AtMost: number;
}

/** The searches of the target, tool output included. */
export function hubSearchKinds({ needles }: Corpus): SearchKind[] {
  const having = (form: "word" | "phrase") =>
    needles.filter((needle) => needle.form === form).map(({ query }) => query);
  return [
    { what: "rare word", queries: having("word"), p99AtMost: 60 },
    { what: "phrase", queries: having("phrase"), p99AtMost: 150 },
    { what: "common word", queries: COMMON_WORDS, p99AtMost: 400 },
  ];
}

/** The first search at each server, which reads what the others then find in memory. */
export async function firstSearches(stack: HubStack, token: string): Promise<BenchRow> {
  const before = stack.processorTimes();
  const times: number[] = [];
  for (const server of stack.urls.keys()) {
    const start = performance.now();
    await stack.command(server, token, "search", { query: rareWord("absent", 0) });
    times.push(performance.now() - start);
  }
  return judge({
    what: "first search of a user on a server",
    measured: Math.max(...times),
    unit: "ms",
    note: usedFor(times.length, before, stack.processorTimes()),
  });
}

/** How long answers take while eight clients, half of them at each server, ask one question after the other. */
export async function hubSearches(
  stack: HubStack,
  token: string,
  kinds: SearchKind[],
  when: string,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { what, queries, p99AtMost } of kinds) {
    const before = stack.processorTimes();
    const { times, perSecond } = await timesOfSearches(onHub(stack, token), queries);
    const used = usedFor(times.length, before, stack.processorTimes());
    rows.push(
      ...rowsOf(`search on the hub, ${CLIENTS} clients, ${when}, ${what}`, times, {
        atMost: p99AtMost,
        note: `${perSecond}/s; ${used}`,
      }),
    );
  }
  return rows;
}

/** The same questions to the service of the machine that has sent the sessions. */
export async function homeSearches(machine: Service, kinds: readonly SearchKind[]): Promise<BenchRow[]> {
  const atHome: Search = (_, query) => machine.search({ query });
  await searchOften(atHome, kinds);
  const rows: BenchRow[] = [];
  for (const { what, queries } of kinds) {
    const { times, perSecond } = await timesOfSearches(atHome, queries);
    const label = `search at home, ${CLIENTS} clients, by a service that has searched before, ${what}`;
    rows.push(...rowsOf(label, times, { note: `${perSecond}/s` }));
  }
  return rows;
}

function rowsOf(label: string, times: readonly number[], more: Partial<Measurement>): BenchRow[] {
  return [
    judge({ what: `${label}, p50`, measured: percentile(times, 0.5), unit: "ms" }),
    judge({ what: `${label}, p99`, measured: percentile(times, 0.99), unit: "ms", ...more }),
  ];
}

/**
 * A server of a hub runs for weeks. V8 compiles what is called often as it goes on: after some thousand searches one takes
 * half of the processor time of the first hundreds.
 */
export async function searchMuch(stack: HubStack, token: string, kinds: readonly SearchKind[]): Promise<void> {
  await searchOften(onHub(stack, token), kinds);
}

async function searchOften(search: Search, kinds: readonly SearchKind[]): Promise<void> {
  for (let round = 0; round < WARMING_ROUNDS; round++) {
    for (const { queries } of kinds) await timesOfSearches(search, queries);
  }
}

/** @param client its number. */
type Search = (client: number, query: string) => Promise<unknown>;

function onHub(stack: HubStack, token: string): Search {
  return (client, query) => stack.command(client % stack.urls.length, token, "search", { query });
}

async function timesOfSearches(
  search: Search,
  queries: readonly string[],
): Promise<{ times: number[]; perSecond: string }> {
  const times: number[] = [];
  const begun = performance.now();
  let next = 0;
  const client = async (number: number): Promise<void> => {
    while (next < QUERIES) {
      const query = queries[next++ % queries.length] ?? "";
      const start = performance.now();
      await search(number, query);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return { times, perSecond: ((1000 * times.length) / (performance.now() - begun)).toFixed(0) };
}
