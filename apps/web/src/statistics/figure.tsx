import { ChartColumn, Download, Table2 } from "lucide-react";
import { type ReactNode, useId } from "react";
import { IconButton } from "../design/button.tsx";
import { t } from "../i18n/text.ts";
import { type DataTable, saveCsv, TableView } from "./data-table.tsx";
import type { FigureName } from "./statistics-search.ts";
import { useChangeStatistics, useStatisticsSearch } from "./use-statistics-search.ts";

export interface FigureProps {
  name: FigureName;
  title: string;
  /** What the mark says that is pointed at, or what there is to say about all. */
  readout?: ReactNode;
  table: DataTable;
  /** Below the title, of the chart and of the table. */
  controls?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A chart under its title, with the table that is behind it. */
export function Figure({ name, title, readout, table, controls, className = "", children }: FigureProps) {
  const id = useId();
  const { table: tables = [] } = useStatisticsSearch();
  const change = useChangeStatistics();
  const isTable = tables.includes(name);

  function toggle() {
    const next = isTable ? tables.filter((one) => one !== name) : [...tables, name];
    change({ table: next.length === 0 ? undefined : next });
  }

  return (
    <section aria-labelledby={id} className={`flex min-w-0 flex-col gap-2 ${className}`}>
      <header className="flex min-h-8 items-center gap-1">
        <h2 id={id} className="shrink-0 text-base">
          {title}
        </h2>
        <p className="min-w-0 flex-1 truncate px-2 text-right text-muted text-xs tabular-nums">{readout}</p>
        <IconButton
          icon={isTable ? ChartColumn : Table2}
          label={isTable ? t("statistics.as_chart", { name: title }) : t("statistics.as_table", { name: title })}
          size="sm"
          onClick={toggle}
        />
        <IconButton
          icon={Download}
          label={t("statistics.save_csv", { name: title })}
          size="sm"
          onClick={() => saveCsv(table, `statistics-${name}`)}
        />
      </header>
      {controls !== undefined && <div>{controls}</div>}
      {isTable ? <TableView label={title} table={table} /> : children}
    </section>
  );
}
