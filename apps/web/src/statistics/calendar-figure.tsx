import { useMemo, useState } from "react";
import { classNames } from "../design/class-names.ts";
import { t } from "../i18n/text.ts";
import { type CalendarStrip, calendarStrips, daysOf, placeIn } from "./calendar.ts";
import { type DataTable, usageCells, usageColumns } from "./data-table.tsx";
import { longDayText, monthText, weekdayText } from "./day-text.ts";
import { Figure } from "./figure.tsx";
import { HEAT_CLASSES, heatLevels } from "./heat.ts";
import { HeatLegend } from "./heat-legend.tsx";
import { moveAmongMarks } from "./marks.ts";
import { amountOf, amountText, type Statistics } from "./measure.ts";
import { type DayRange, rangeOfDays } from "./range.ts";
import { SessionsAnchor } from "./sessions-anchor.tsx";
import { sessionsLink } from "./sessions-link.ts";
import type { Measure, Subject } from "./statistics-search.ts";

type Day = Statistics["by_day"][number];

export interface CalendarFigureProps {
  days: readonly Day[];
  range: DayRange;
  subject: Subject;
  measure: Measure;
  today: string;
}

/** Every day of the range in its week, the darker the more was done. */
export function CalendarFigure({ days, range, subject, measure, today }: CalendarFigureProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  const byDate = useMemo(() => new Map(days.map((day) => [day.date, day])), [days]);
  const strips = useMemo(
    () =>
      calendarStrips(
        range,
        days.map(({ date }) => date),
        today,
      ),
    [range, days, today],
  );
  const levelOf = useMemo(() => heatLevels(days.map((day) => amountOf(day, measure) ?? 0)), [days, measure]);
  const linkOf = (date: string) => sessionsLink({ ...subject, range: rangeOfDays(date, date) });
  const textOf = (day: Day) =>
    `${longDayText(day.date)}: ${amountText(day, measure)}, ${t("list.count", { count: day.sessions })}`;
  const table: DataTable = {
    columns: [
      { title: t("statistics.day"), kind: "text" },
      { title: t("statistics.sessions"), kind: "number" },
      ...usageColumns(),
    ],
    rows: [...days]
      .reverse()
      .map((day) => ({ cells: [day.date, day.sessions, ...usageCells(day)], link: linkOf(day.date) })),
  };
  const shown = pointed === null ? undefined : byDate.get(pointed);
  return (
    <Figure
      name="calendar"
      title={t("statistics.calendar")}
      table={table}
      readout={shown === undefined ? t("statistics.days_active", { count: days.length }) : textOf(shown)}
    >
      <div className="flex flex-col gap-4" onPointerLeave={() => setPointed(null)}>
        {strips.map((strip) => (
          <Strip
            key={strip.first}
            strip={strip}
            hasYear={strips.length > 1}
            byDate={byDate}
            newest={days.at(-1)?.date}
            levelOf={(day) => {
              const amount = amountOf(day, measure);
              return amount === null
                ? "outline-1 outline-dashed outline-line-strong -outline-offset-1"
                : HEAT_CLASSES[levelOf(amount)];
            }}
            linkOf={linkOf}
            textOf={textOf}
            onPoint={setPointed}
          />
        ))}
      </div>
      <HeatLegend hasUnknown={measure === "cost" && days.some((day) => amountOf(day, measure) === null)} />
    </Figure>
  );
}

interface StripProps {
  strip: CalendarStrip;
  hasYear: boolean;
  byDate: ReadonlyMap<string, Day>;
  newest: string | undefined;
  levelOf(day: Day): string;
  linkOf(date: string): string;
  textOf(day: Day): string;
  onPoint(date: string | null): void;
}

function Strip({ strip, hasYear, byDate, newest, levelOf, linkOf, textOf, onPoint }: StripProps) {
  const inStrip = daysOf(strip);
  // One mark of all is reached by Tab: the newest, or the last of an older year.
  const reached = newest !== undefined && newest <= strip.last ? newest : inStrip.findLast((day) => byDate.has(day));
  return (
    <div className="overflow-x-auto pb-1" ref={scrollToEnd}>
      <div className="flex min-w-max gap-2">
        <div aria-hidden className="grid grid-rows-[16px_repeat(7,1fr)] gap-[3px] text-faint text-xs">
          <span className="tabular-nums">{hasYear ? strip.first.slice(0, 4) : ""}</span>
          {[0, 1, 2, 3, 4, 5, 6].map((weekday) => (
            <span key={weekday} className="flex h-full items-center leading-none">
              {weekday % 2 === 0 && weekday < 6 ? weekdayText(weekday, "short") : ""}
            </span>
          ))}
        </div>
        <div
          role="group"
          aria-label={t("statistics.calendar")}
          className="grid flex-1 gap-[3px]"
          style={{
            gridTemplateRows: "16px repeat(7, auto)",
            gridTemplateColumns: `repeat(${strip.weeks}, minmax(11px, 1fr))`,
            maxWidth: strip.weeks * 21,
          }}
          onKeyDown={moveAmongMarks}
        >
          {strip.months
            .filter(({ week }) => week < strip.weeks - 1)
            .map(({ week, first }) => (
              <span
                key={first}
                aria-hidden
                className="whitespace-nowrap text-faint text-xs"
                style={{ gridRow: 1, gridColumn: `${week + 1} / span 3` }}
              >
                {monthText(first)}
              </span>
            ))}
          {inStrip.map((date) => {
            const day = byDate.get(date);
            const { week, weekday } = placeIn(strip, date);
            const style = { gridColumn: week + 1, gridRow: weekday + 2 };
            const cell = "aspect-square rounded-[3px]";
            if (day === undefined) return <span key={date} style={style} className={`${cell} bg-heat-0`} />;
            return (
              <SessionsAnchor
                key={date}
                link={linkOf(date)}
                aria-label={textOf(day)}
                data-column={week}
                data-row={weekday}
                tabIndex={date === reached ? 0 : -1}
                style={style}
                className={classNames(cell, levelOf(day), "hover:ring-2 hover:ring-ink/50")}
                onPointerEnter={() => onPoint(date)}
                onFocus={() => onPoint(date)}
                onBlur={() => onPoint(null)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Where a year is wider than the screen, its end is what one wants to see. */
function scrollToEnd(element: HTMLElement | null): void {
  if (element !== null) element.scrollLeft = element.scrollWidth;
}
