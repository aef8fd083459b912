import { useMinute } from "../browser/use-minute.ts";
import { formatMoment, formatRelative, formatTime, formatWhen } from "../i18n/format.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** When a session was written to last: how long ago today, and exactly in its tooltip. It goes on as time does. */
export function RowTime({ time, isByDay }: { time: string; isByDay: boolean }) {
  const now = useMinute();
  return (
    <time
      dateTime={time}
      title={formatMoment(time)}
      className="shrink-0 text-faint text-xs tabular-nums group-hover:invisible touch:group-hover:visible"
    >
      {timeText(time, isByDay, now)}
    </time>
  );
}

/** @param isByDay whether the day is said elsewhere. */
export function timeText(time: string, isByDay: boolean, now: number): string {
  const ago = now - Date.parse(time);
  if (ago < 12 * HOUR) return formatRelative(new Date(ago < MINUTE ? now : time), new Date(now));
  return isByDay ? formatTime(time) : formatWhen(time, new Date(now));
}
