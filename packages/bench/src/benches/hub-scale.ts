import { type HubLoad, simulateHub, storageOf } from "../hub/scale/hub-model.ts";
import { MEASURED, PEOPLE, SHARES, STEPS } from "../hub/scale/hub-steps.ts";
import { type BenchRow, judge } from "../report.ts";

const MINUTES = 4;
const SEED = 1;
const APPEND_AT_MOST_MS = 1_500;
const SEARCH_AT_MOST_MS = 400;

/** On paper: which limit of a hub comes first with 5,000 people and 20 TB, and what is turned then. Nothing is measured. */
export async function hubScale(): Promise<BenchRow[]> {
  const busy = STEPS.flatMap(({ name, machines }) => {
    const load = simulateHub(PEOPLE, machines, MEASURED, { minutes: MINUTES, seed: SEED });
    return [
      judge({
        what: `simulated: ${name}, appended line p99`,
        measured: load.appendP99,
        unit: "ms",
        atMost: APPEND_AT_MOST_MS,
        note: described(load),
      }),
      judge({
        what: `simulated: ${name}, search p99`,
        measured: load.searchP99,
        unit: "ms",
        atMost: SEARCH_AT_MOST_MS,
        note: `p50 ${Math.round(load.searchP50)} ms; lists and pages p99 ${Math.round(load.pageP99)} ms`,
      }),
    ];
  });
  return [...busy, ...stored()];
}

function stored(): BenchRow[] {
  const ways = [
    { name: "all in one database", databases: 1, hasObjectStore: false },
    { name: "bytes in an object store", databases: 1, hasObjectStore: true },
    { name: "and users divided among 4 databases", databases: 4, hasObjectStore: true },
  ];
  return ways.map(({ name, ...way }) => {
    const { database, objects, hoursToCopy } = storageOf(PEOPLE, SHARES, way);
    return judge({
      what: `calculated: ${name}, hours to copy a database`,
      measured: hoursToCopy,
      unit: "h",
      note: `${database.toFixed(1)} TB in each, ${objects.toFixed(1)} TB of objects`,
    });
  });
}

/** The fullest first. */
function described({ loads, unfinished }: HubLoad): string {
  const parts = Object.entries(loads)
    .sort(([, one], [, other]) => other - one)
    .map(([name, load]) => `${name} ${Math.round(100 * load)} %`);
  const left = unfinished > 0.02 ? `; ${Math.round(100 * unfinished)} % not done` : "";
  return `${parts.join(", ")}${left}`;
}
