import type { UserPrices } from "../../prices/model-prices.ts";
import type { SessionFormatName } from "../../session/record.ts";
import type { SessionStatistics, StackedBy } from "../../statistics.ts";

/** A statistics query, with defaults applied. */
export interface StatisticsTask {
  /** Milliseconds since 1970, `null` for no limit. */
  since: number | null;
  until: number | null;
  project: string | null;
  format: SessionFormatName | null;
  stackBy: StackedBy | null;
  timeZone: string;
  prices: UserPrices;
  now: number;
}

/** Statistics with the paths of the longest sessions; the main thread adds their records. */
export type FoundStatistics = Omit<SessionStatistics, "longest_sessions"> & { longest: string[] };

/** Thread tasks for statistics. */
export type StatisticsTasks = {
  statistics: { input: StatisticsTask; output: FoundStatistics };
  /** `index`: names whose sessions are asked for, see `RemoteStatistics`. */
  statisticsRemote: { input: { index: string; task: StatisticsTask }; output: FoundStatistics };
};
