import type { HubCosts, HubMachines, HubPeople } from "./hub-model.ts";

/**
 * Measured with `npm run bench -- hub`, and for 1 GB as `docs/adr/0033-hub-search.md` says; pages, merges and first searches are estimates.
 * See `docs/adr/0039-scale-of-a-hub.md`.
 */
export const MEASURED: HubCosts = {
  append: { server: 36, postgres: 30, logBytes: 6_400 },
  searches: [
    { share: 0.5, thread: 6, postgres: 4, growsWithBytes: false },
    { share: 0.2, thread: 16, postgres: 4, growsWithBytes: false },
    { share: 0.3, thread: 33, postgres: 6, growsWithBytes: true },
  ],
  firstSearch: { thread: 300, postgres: 100 },
  page: { server: 5, postgres: 4 },
  mergeMegabyte: { server: 35, postgres: 10 },
};

/** Of the originals, see `docs/adr/0039-scale-of-a-hub.md`. */
export const SHARES = { bytes: 0.32, text: 0.21, catalog: 0.03 };

/**
 * Assumed: 5,000 people with 4 GB each, of two years; in the busiest hour 300 lines of 4 KB, a visit of 4 searches in
 * 5 minutes, and 20 lists and pages of each.
 */
export const PEOPLE: HubPeople = {
  people: 5_000,
  bytesOfEach: 4e9,
  appends: 300,
  bytesOfAppend: 4_000,
  searches: 4,
  searchesOfVisit: 4,
  visitMinutes: 5,
  pages: 20,
};

const SMALL: HubMachines = {
  servers: 2,
  processorsOfServer: 2,
  searchThreads: 1,
  connectionsOfServer: 10,
  databaseProcessors: 2,
  logBytesPerSecond: 200e6,
  logFlushMs: 1,
  replicas: 0,
  databases: 1,
  rememberedGigabytes: 5,
};
const LARGE: HubMachines = { ...SMALL, databaseProcessors: 16, servers: 8, processorsOfServer: 4, searchThreads: 3 };
const REMEMBERING: HubMachines = { ...LARGE, rememberedGigabytes: 80 };

/** What is turned, one after the other. */
export const STEPS: readonly { name: string; machines: HubMachines }[] = [
  { name: "2 servers of 2 cores, a database of 2", machines: SMALL },
  { name: "a database of 16 cores", machines: { ...SMALL, databaseProcessors: 16 } },
  { name: "8 servers of 4 cores, with 3 search threads", machines: LARGE },
  { name: "16 times the memory for indexes, 10 GB a server", machines: REMEMBERING },
  { name: "a replica for what is read", machines: { ...REMEMBERING, replicas: 1 } },
  { name: "users divided among 4 databases", machines: { ...REMEMBERING, replicas: 1, servers: 16, databases: 4 } },
];
