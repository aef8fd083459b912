import type { SessionStatistics } from "../../statistics.ts";

/** A question for statistics, with what was left out. */
export interface StatisticsTask {
  /** Milliseconds since 1970, `null` for all that was before. */
  since: number | null;
  until: number | null;
  project: string | null;
  timeZone: string;
  now: number;
}

/** Statistics with the paths of the longest sessions, whose records are the main thread's to read. */
export type FoundStatistics = Omit<SessionStatistics, "longest_sessions"> & { longest: string[] };

/** What threads do for statistics. */
export type StatisticsTasks = {
  statistics: { input: StatisticsTask; output: FoundStatistics };
};
