import { useMemo, useState } from "react";
import { classNames } from "../design/class-names.ts";
import { formatNumber } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import type { DataTable } from "./data-table.tsx";
import { weekdayText } from "./day-text.ts";
import { Figure } from "./figure.tsx";
import { HEAT_CLASSES, heatLevels } from "./heat.ts";
import { HeatLegend } from "./heat-legend.tsx";
import { newestHours } from "./hours.ts";
import { moveAmongMarks } from "./marks.ts";
import type { Statistics } from "./measure.ts";
import { SessionsAnchor } from "./sessions-anchor.tsx";
import { hoursLink } from "./sessions-link.ts";
import type { Subject } from "./statistics-search.ts";

type HourOfWeek = Statistics["by_weekday_hour"][number];

export interface HoursFigureProps {
  statistics: Statistics;
  /** On which something was said, in order. */
  days: Statistics["by_day"];
  subject: Subject;
}

/** When in the week something is said. */
export function HoursFigure({ statistics, days, subject }: HoursFigureProps) {
  const [pointed, setPointed] = useState<HourOfWeek | null>(null);
  const hours = statistics.by_weekday_hour;
  const levelOf = useMemo(() => heatLevels(hours.map(({ messages }) => messages)), [hours]);
  const dates = useMemo(() => days.map(({ date }) => date), [days]);
  const busiest = hours.reduce((most, one) => (one.messages > most.messages ? one : most), { ...NONE });
  const linkOf = ({ weekday, hour }: HourOfWeek) => hoursLink(newestHours(dates, weekday, hour), subject);
  const textOf = (one: HourOfWeek) => `${hourText(one)}: ${t("list.messages", { count: one.messages })}`;
  const table: DataTable = {
    columns: [
      { title: t("statistics.hour"), kind: "text" },
      ...WEEKDAYS.map((weekday) => ({ title: weekdayText(weekday, "short"), kind: "number" as const })),
      { title: t("statistics.messages"), kind: "number" },
    ],
    rows: statistics.by_hour.map(({ hour, messages }) => ({
      cells: [clock(hour), ...WEEKDAYS.map((weekday) => hours[weekday * 24 + hour]?.messages ?? 0), messages],
    })),
  };
  return (
    <Figure
      name="hours"
      title={t("statistics.hours")}
      table={table}
      readout={
        pointed === null
          ? busiest.messages > 0 && t("statistics.busiest", { hour: hourText(busiest) })
          : textOf(pointed)
      }
    >
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-2 gap-y-1">
        <span />
        <div aria-hidden className="grid grid-cols-24 text-faint text-xs tabular-nums">
          {[0, 6, 12, 18].map((hour) => (
            <span key={hour} className="col-span-6">
              {clock(hour)}
            </span>
          ))}
        </div>
        <div aria-hidden className="grid grid-rows-7 gap-[3px] self-stretch text-faint text-xs">
          {WEEKDAYS.map((weekday) => (
            <span key={weekday} className="flex items-center leading-none">
              {weekdayText(weekday, "short")}
            </span>
          ))}
        </div>
        <div
          role="group"
          aria-label={t("statistics.hours")}
          className="grid grid-cols-24 gap-[3px]"
          onKeyDown={moveAmongMarks}
          onPointerLeave={() => setPointed(null)}
        >
          {hours.map((one) => {
            const cell = classNames("h-5 rounded-[3px]", HEAT_CLASSES[levelOf(one.messages)]);
            const key = `${one.weekday} ${one.hour}`;
            if (one.messages === 0) return <span key={key} className={cell} />;
            return (
              <SessionsAnchor
                key={key}
                link={linkOf(one)}
                aria-label={textOf(one)}
                data-column={one.hour}
                data-row={one.weekday}
                tabIndex={one.weekday === busiest.weekday && one.hour === busiest.hour ? 0 : -1}
                className={`${cell} hover:ring-2 hover:ring-ink/50`}
                onPointerEnter={() => setPointed(one)}
                onFocus={() => setPointed(one)}
                onBlur={() => setPointed(null)}
              />
            );
          })}
        </div>
      </div>
      <div className="flex items-center justify-between gap-4">
        <p className="text-faint text-xs">{t("statistics.hours_note")}</p>
        <HeatLegend />
      </div>
    </Figure>
  );

  function hourText({ weekday, hour }: Pick<HourOfWeek, "weekday" | "hour">): string {
    return `${weekdayText(weekday, "long")} ${clock(hour)}–${clock(hour + 1)}`;
  }
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const NONE: HourOfWeek = { weekday: 0, hour: 0, messages: 0 };

function clock(hour: number): string {
  return `${formatNumber(hour).padStart(2, "0")}:00`;
}
