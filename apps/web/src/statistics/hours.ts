import { startOfDay, weekdayOf } from "./days.ts";

/** A search has at most 1,000 characters, of which an hour takes some 66. */
const MAX_HOURS = 10;

/**
 * The newest hours of the week in a row of days, as times by the local clock: such as the last ten Mondays at nine.
 *
 * @param days on which something was said, in order.
 */
export function newestHours(days: readonly string[], weekday: number, hour: number): Date[] {
  return days
    .filter((day) => weekdayOf(day) === weekday)
    .slice(-MAX_HOURS)
    .map((day) => {
      const time = startOfDay(day);
      time.setHours(hour);
      return time;
    });
}
