import type { UserPrices } from "../../prices/model-prices.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import type { StatisticsOptions } from "../../statistics.ts";
import type { StatisticsTask } from "../statistics/statistics-tasks.ts";

/**
 * What statistics of these options are asked for now.
 *
 * @param timeZone of days, hours and weeks where the options name none.
 */
export function statisticsTask(options: StatisticsOptions, timeZone: string, prices: UserPrices): StatisticsTask {
  const { since, until, project, format, stack_by, time_zone } = options;
  return {
    since: parseTimestamp(since),
    until: parseTimestamp(until),
    project: project ?? null,
    format: format ?? null,
    stackBy: stack_by ?? null,
    timeZone: time_zone ?? timeZone,
    prices,
    now: Date.now(),
  };
}
