import { Random } from "../../corpus/random.ts";
import { percentile } from "../../measure/percentile.ts";
import { Stations, type Step } from "./stations.ts";

/** Milliseconds of a processor for one of each, and bytes, as `npm run bench -- hub` shows them. */
export interface HubCosts {
  /** A line that is appended: taken in, indexed, told to the pages that are open. */
  append: { server: number; postgres: number; logBytes: number };
  /** A search of a gigabyte whose index a server remembers: a rare word, a phrase, a common word. */
  searches: readonly { share: number; thread: number; postgres: number; growsWithBytes: boolean }[];
  /** The first search of a gigabyte of a user on a server. */
  firstSearch: { thread: number; postgres: number };
  /** A list or a page of a session. */
  page: { server: number; postgres: number };
  /** Merging and vacuum, for each megabyte of originals. */
  mergeMegabyte: { server: number; postgres: number };
}

/** What people do in the busiest hour. */
export interface HubPeople {
  people: number;
  /** Of originals that each has. */
  bytesOfEach: number;
  /** Of each, in an hour. */
  appends: number;
  bytesOfAppend: number;
  searches: number;
  /** Searches that follow one another, and how long that takes. */
  searchesOfVisit: number;
  visitMinutes: number;
  pages: number;
}

/** What a hub runs on. */
export interface HubMachines {
  servers: number;
  processorsOfServer: number;
  searchThreads: number;
  connectionsOfServer: number;
  /** Of the primary, all of its own. */
  databaseProcessors: number;
  /** Bytes a second of the log. */
  logBytesPerSecond: number;
  /** One write of the log, which those wait for that end together. */
  logFlushMs: number;
  /** Copies of the database that answer lists, pages and searches; each as large as the primary. */
  replicas: number;
  /** Databases among which users are divided. */
  databases: number;
  /** Of originals whose index a search thread remembers: a fiftieth as many bytes of memory and twice that for chunks. */
  rememberedGigabytes: number;
}

/** How much of the time each part is at work, and how long people wait. */
export interface HubLoad {
  loads: Record<"servers" | "searching" | "connections" | "primary" | "replicas" | "log", number>;
  /** Milliseconds. */
  appendP99: number;
  searchP50: number;
  searchP99: number;
  pageP99: number;
  /** Share of what was begun that was not done at the end. */
  unfinished: number;
}

/** A round trip between a server and the database. */
const TRIP_MS = 0.4;
/** Transactions that end while the log is written wait for the next write, which is one for all. */
const FLUSHED_TOGETHER = 32;
/** Of a base backup over a network, or of a replica that is made anew. */
const COPIED_BYTES_A_SECOND = 200e6;
const TERABYTE = 1e12;
const GIGABYTE = 1e9;
const MEGABYTE = 1e6;
const HOUR_MS = 3_600_000;

/**
 * One of the databases with its servers, users being divided evenly. Arrivals are those of a Poisson process, times
 * vary as those of an exponential distribution do.
 */
export function simulateHub(
  people: HubPeople,
  machines: HubMachines,
  costs: HubCosts,
  { minutes, seed }: { minutes: number; seed: number },
): HubLoad {
  const random = new Random(seed);
  const { servers, databases, replicas } = machines;
  const ofOne = Math.max(1, Math.round(servers / databases));
  const stations = new Stations({
    servers: ofOne * machines.processorsOfServer,
    searching: ofOne * machines.searchThreads,
    connections: ofOne * machines.connectionsOfServer,
    primary: machines.databaseProcessors,
    replicas: Math.max(1, replicas * machines.databaseProcessors),
    log: FLUSHED_TOGETHER,
  });
  const reading = replicas > 0 ? "replicas" : "primary";
  const varied = (mean: number) => -mean * Math.log(1 - random.fraction());
  const use = (station: string, mean: number): Step => ({ kind: "use", station, ms: varied(mean) });
  const inTransaction = (...steps: Step[]): Step[] => [
    { kind: "hold", station: "connections" },
    ...steps,
    { kind: "free", station: "connections" },
  ];
  const users = people.people / databases;
  const gigabytes = people.bytesOfEach / GIGABYTE;
  const room = (ofOne * machines.searchThreads * machines.rememberedGigabytes) / gigabytes;
  const isRemembered = remembered(people, users, room);

  const append = (): Step[] => {
    const { server, postgres, logBytes } = costs.append;
    const merge = people.bytesOfAppend / MEGABYTE;
    const log = machines.logFlushMs + (FLUSHED_TOGETHER * logBytes * 1_000) / machines.logBytesPerSecond;
    return [
      use("servers", server / 2),
      ...inTransaction(use("primary", postgres / 2), use("log", log)),
      use("servers", server / 2 + merge * costs.mergeMegabyte.server),
      ...inTransaction(use("primary", postgres / 2 + merge * costs.mergeMegabyte.postgres), use("log", log)),
    ];
  };
  const search = (): Step[] => {
    const kind = chosen(costs.searches, random.fraction());
    const first = random.chance(isRemembered) ? 0 : gigabytes;
    const size = kind.growsWithBytes ? gigabytes : 1;
    return [
      { kind: "hold", station: "searching" },
      ...inTransaction(
        use(reading, kind.postgres * size + costs.firstSearch.postgres * first),
        use("servers", kind.thread * size + costs.firstSearch.thread * first),
      ),
      { kind: "free", station: "searching" },
    ];
  };
  const page = (): Step[] => [use("servers", costs.page.server), ...inTransaction(use(reading, costs.page.postgres))];

  const until = minutes * 60_000;
  const times: Record<"append" | "search" | "page", number[]> = { append: [], search: [], page: [] };
  let begun = 0;
  const arrivals = (kind: keyof typeof times, perHour: number, steps: () => Step[], trips: number) => {
    const apart = HOUR_MS / (users * perHour);
    const arrive = () => {
      const at = stations.now;
      begun++;
      stations.start(steps(), (end) => times[kind].push(end - at + trips * TRIP_MS));
      stations.at(at + varied(apart), arrive);
    };
    stations.at(varied(apart), arrive);
  };
  // Round trips of each, begin and end of its transactions included.
  arrivals("append", people.appends, append, 40);
  arrivals("search", people.searches, search, 16);
  arrivals("page", people.pages, page, 8);
  stations.run(until);
  const done = times.append.length + times.search.length + times.page.length;
  const p = (values: readonly number[], share: number) =>
    values.length === 0 ? Number.NaN : percentile(values, share);
  return {
    loads: {
      servers: stations.load("servers"),
      searching: stations.load("searching"),
      connections: stations.load("connections"),
      primary: stations.load("primary"),
      replicas: replicas > 0 ? stations.load("replicas") : 0,
      log: stations.load("log"),
    },
    appendP99: p(times.append, 0.99),
    searchP50: p(times.search, 0.5),
    searchP99: p(times.search, 0.99),
    pageP99: p(times.page, 0.99),
    unfinished: (begun - done) / begun,
  };
}

/** The share of searches whose index a thread remembers, of `room` users whose indexes all threads have room for. */
function remembered({ searches, searchesOfVisit, visitMinutes }: HubPeople, users: number, room: number): number {
  const visits = (users * searches) / searchesOfVisit;
  const atOnce = visits * (visitMinutes / 60);
  const first = 1 / searchesOfVisit;
  return first * Math.min(1, room / Math.min(users, visits)) + (1 - first) * Math.min(1, room / atOnce);
}

/** The one in whose share a number from 0 to 1 falls. */
function chosen<Kind extends { share: number }>(kinds: readonly Kind[], at: number): Kind {
  let end = 0;
  for (const kind of kinds) {
    end += kind.share;
    if (at < end + 1e-9) return kind;
  }
  throw new RangeError("The shares must be 1 together.");
}

/** Where the bytes of a hub are, in terabytes of each database, and how long one takes to be copied. */
export function storageOf(
  { people, bytesOfEach }: HubPeople,
  shares: { bytes: number; text: number; catalog: number },
  { databases, hasObjectStore }: { databases: number; hasObjectStore: boolean },
): { database: number; objects: number; hoursToCopy: number } {
  const originals = (people * bytesOfEach) / TERABYTE;
  const database = (originals * (shares.text + shares.catalog + (hasObjectStore ? 0 : shares.bytes))) / databases;
  const hoursToCopy = (database * TERABYTE) / COPIED_BYTES_A_SECOND / 3_600;
  return { database, objects: hasObjectStore ? originals * shares.bytes : 0, hoursToCopy };
}
