import { formatDay } from "../i18n/format.ts";

/** Says on which day the entries below it were written. */
export function DayMark({ time }: { time: string }) {
  return (
    <p className="day">
      <time dateTime={time}>{formatDay(time)}</time>
    </p>
  );
}

/** Says, while one scrolls, of which day what comes into sight is. The rows say it to who does not see it. */
export function DayInSight({ time, isShown }: { time: string | null; isShown: boolean }) {
  return (
    <p className="day-in-sight" aria-hidden data-shown={isShown || undefined}>
      {time !== null && <time dateTime={time}>{formatDay(time)}</time>}
    </p>
  );
}
