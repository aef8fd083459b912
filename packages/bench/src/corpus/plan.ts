import type { CjkLanguage } from "./cjk.ts";
import { type Decoy, planDecoy } from "./decoy.ts";
import { type PlannedNeedle, planNeedle } from "./needle.ts";
import { mixSeed, Random } from "./random.ts";

export interface CorpusParameters {
  seed: number;
  sessions: number;
  /** Size of all session files together. */
  bytes: number;
  projects: number;
  /** Sessions begin within the three years before, in milliseconds since 1970. */
  newest: number;
  /** The share of all bytes that the largest session has; 0 for no large sessions at all. */
  largestShare: number;
  /** The share of all bytes that one line has, 0 for no such line. */
  longestLineShare: number;
}

export const DEFAULT_PARAMETERS: CorpusParameters = {
  seed: 1,
  sessions: 3_000,
  bytes: 1_000_000_000,
  projects: 60,
  newest: Date.parse("2026-06-30T12:00:00.000Z"),
  largestShare: 0.08,
  longestLineShare: 0,
};

/** Years of work, with one session of 500 MB, and a line of 50 MB in another. */
export const SCALE_SHAPE = {
  sessions: 10_000,
  bytes: 4_000_000_000,
  largestShare: 0.125,
  longestLineShare: 0.0125,
} satisfies Partial<CorpusParameters>;

/** Short sessions: half of them have about 8 KB. Their last turns make 0.8 GB of what is planned. */
export const MANY_SHAPE = {
  sessions: 50_000,
  bytes: 715_000_000,
  projects: 400,
  largestShare: 0,
} satisfies Partial<CorpusParameters>;

/** As many sessions as the service is made for; the largest has 500 MB. */
export const HUGE_SHAPE = {
  sessions: 100_000,
  bytes: 8_000_000_000,
  projects: 400,
  largestShare: 0.0625,
} satisfies Partial<CorpusParameters>;

/** What is decided about a session before it is written. */
export interface SessionPlan {
  index: number;
  project: number;
  bytes: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  language: "english" | CjkLanguage;
  hasBranches: boolean;
  isNamed: boolean;
  needle: PlannedNeedle | null;
  decoy: Decoy | null;
  /** Bytes of what a tool returns at once, on top of `bytes`; 0 for nothing out of the ordinary. */
  longLine: number;
}

/** The largest sessions but one, as shares of the corpus: 60 MB to 10 MB of 1 GB. */
const LARGE_SHARES = [0.06, 0.04, 0.03, 0.02, 0.015, 0.01, 0.01];
const MIN_SESSION_SIZE = 3_000;
/** A session ends with a whole turn: by so many bytes it passes its plan on average. */
const OVERSHOOT = 4_000;
/** Keeps the ordinary sessions, 250 KB on average, below the large ones. */
const MAX_WEIGHT = 60;
const CJK: CjkLanguage[] = ["chinese", "chinese", "chinese", "japanese", "korean"];
const THREE_YEARS = 3 * 365 * 24 * 3600 * 1000;
const SESSIONS_PER_NEEDLE = 5;
const SESSIONS_PER_DECOY = 25;

/** Sizes of all sessions: a few large ones spread evenly among log-normal ones. */
function planSizes(random: Random, parameters: CorpusParameters): number[] {
  const { sessions, bytes, largestShare, longestLineShare } = parameters;
  const large = largestShare === 0 ? [] : [largestShare, ...LARGE_SHARES].slice(0, Math.floor(sessions / 4));
  const largeBytes = large.reduce((sum, share) => sum + share * bytes, longestLineShare * bytes);
  const weights = Array.from({ length: sessions - large.length }, () => Math.min(random.logNormal(1, 1.2), MAX_WEIGHT));
  const scale = (bytes - largeBytes) / weights.reduce((sum, weight) => sum + weight, 0);
  const sizes = weights.map((weight) => Math.max(Math.round(weight * scale) - OVERSHOOT, MIN_SESSION_SIZE));
  large.forEach((share, rank) => {
    sizes.splice(Math.floor(((rank + 0.5) * sessions) / large.length), 0, Math.round(share * bytes));
  });
  return sizes;
}

/** Decides everything about a corpus that sessions have to agree on. */
export function planCorpus(parameters: CorpusParameters): SessionPlan[] {
  const random = new Random(mixSeed(parameters.seed, 0x706c616e));
  const projects = Array.from({ length: parameters.projects }, (_, index) => index);
  let needles = 0;
  let decoys = 0;
  return planSizes(random, parameters).map((bytes, index) => ({
    index,
    project: random.pickSkewed(projects),
    bytes,
    startedAt: parameters.newest - Math.floor(random.fraction() * THREE_YEARS),
    language: random.chance(0.05) ? random.pick(CJK) : "english",
    hasBranches: random.chance(0.2),
    isNamed: random.chance(0.35),
    needle: index % SESSIONS_PER_NEEDLE === 0 ? planNeedle(random, needles++) : null,
    decoy: index % SESSIONS_PER_DECOY === 1 ? planDecoy(decoys++) : null,
    // In the first session, which is an ordinary one: the large ones lie in the middle of what they share.
    longLine: index === 0 ? Math.round(parameters.longestLineShare * parameters.bytes) : 0,
  }));
}
