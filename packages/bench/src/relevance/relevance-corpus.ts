import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateCorpus } from "../corpus/corpus.ts";
import { DEFAULT_PARAMETERS } from "../corpus/plan.ts";
import { mixSeed, Random } from "../corpus/random.ts";
import { sessionPath } from "../corpus/session-files.ts";
import { SessionWriter } from "../corpus/session-writer.ts";
import { WRITTEN_SESSIONS } from "./sessions.ts";
import type { WrittenSession } from "./written-session.ts";

const DAY_MS = 24 * 3600 * 1000;
const SEED = 11;
/** What the written sessions have to be found among. */
const NOISE = { ...DEFAULT_PARAMETERS, seed: SEED, sessions: 300, bytes: 30_000_000, projects: 12 };

/**
 * Writes the sessions that {@link RELEVANCE_QUERIES} ask for, and generated ones around them, below `<directory>/home`.
 *
 * @param now milliseconds since 1970; the sessions began so many days before it.
 * @returns the agent home, and the path of every written session by its id.
 */
export function writeRelevanceCorpus(
  directory: string,
  now: number,
): { agentHome: string; paths: Map<string, string> } {
  const agentHome = join(directory, "home");
  generateCorpus(directory, { ...NOISE, newest: now });
  const paths = new Map(WRITTEN_SESSIONS.map((session, index) => [session.id, write(agentHome, session, index, now)]));
  return { agentHome, paths };
}

/** Puts dates into a query: `{90}` becomes the day 90 days before `now`. */
export function datedQuery(query: string, now: number): string {
  return query.replaceAll(/\{(\d+)\}/g, (_, days: string) =>
    new Date(now - Number(days) * DAY_MS).toISOString().slice(0, 10),
  );
}

function write(agentHome: string, { id, cwd, daysAgo, steps }: WrittenSession, index: number, now: number): string {
  const header = { id, cwd, startedAt: now - daysAgo * DAY_MS };
  const path = join(agentHome, sessionPath(header));
  mkdirSync(dirname(path), { recursive: true });
  const writer = new SessionWriter(path, header, new Random(mixSeed(SEED, index)));
  for (const step of steps) step(writer);
  writer.close();
  return path;
}
