import { Chip } from "../design/chip.tsx";
import { costText } from "../i18n/cost.ts";
import { formatTime, formatWhen } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { type Bar, BarsFigure } from "./bars-figure.tsx";
import { type DataTable, usageCells, usageColumns } from "./data-table.tsx";
import { amountOf, amountText, type Statistics } from "./measure.ts";
import { timeLink } from "./sessions-link.ts";
import type { Measure, Subject } from "./statistics-search.ts";

export interface BlocksFigureProps {
  blocks: Statistics["activity_blocks"];
  subject: Subject;
  measure: Measure;
  now: Date;
}

/** Most blocks of a chart; the table has them all. */
const MOST = 40;

/** Stretches of five hours, as providers count what one may use. */
export function BlocksFigure({ blocks, subject, measure, now }: BlocksFigureProps) {
  const newest = [...blocks].reverse();
  const linkOf = ({ start, end }: { start: string; end: string }) => timeLink(new Date(start), new Date(end), subject);
  const table: DataTable = {
    columns: [
      { title: t("statistics.block_start"), kind: "text" },
      { title: t("statistics.block_end"), kind: "text" },
      ...usageColumns(),
    ],
    rows: newest.map((block) => ({ cells: [block.start, block.end, ...usageCells(block)], link: linkOf(block) })),
  };
  const bars = newest.slice(0, MOST).map((block): Bar => {
    const isNow = new Date(block.end) > now;
    return {
      key: block.start,
      name: (
        <span className="flex items-center gap-2">
          <span className="first-letter:uppercase">
            {`${dayText(block.start, now)}, ${formatTime(block.start)}–${formatTime(block.end)}`}
          </span>
          {isNow && <Chip tone="live">{t("statistics.block_now")}</Chip>}
        </span>
      ),
      note: measure === "cost" ? null : costText(block.usage),
      amount: amountOf(block, measure),
      text: amountText(block, measure),
      link: linkOf(block),
    };
  });
  return <BarsFigure name="blocks" title={t("statistics.blocks")} bars={bars} table={table} />;
}

/** The day alone, also of today. */
function dayText(time: string, now: Date): string {
  const day = new Date(time);
  if (day.toDateString() === now.toDateString()) return t("statistics.today");
  return formatWhen(time, now);
}
