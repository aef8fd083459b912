import { saveText } from "../client/download.ts";
import { formatCost, formatNumber } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { type Cell, csvOf } from "./csv.ts";
import { SessionsAnchor } from "./sessions-anchor.tsx";
import type { SessionsLink } from "./sessions-link.ts";

/** The figures behind a chart. */
export interface DataTable {
  columns: readonly Column[];
  rows: readonly DataRow[];
}

export interface Column {
  title: string;
  /** Where there is nothing, an estimate is none, and anything else is not known. */
  kind: "text" | "number" | "cost" | "estimate";
}

export interface DataRow {
  cells: readonly Cell[];
  /** Where the sessions are that it is of. */
  link?: SessionsLink | null;
}

/** Maximum rows displayed; the file contains all of them. */
const MAX_ROWS = 400;

/** Columns that tables of what was used end with, and their cells. */
export function usageColumns(): Column[] {
  return [
    { title: t("statistics.messages"), kind: "number" },
    { title: t("statistics.input"), kind: "number" },
    { title: t("statistics.output"), kind: "number" },
    { title: t("statistics.cache_read"), kind: "number" },
    { title: t("statistics.cache_write"), kind: "number" },
    { title: t("statistics.tokens"), kind: "number" },
    { title: t("statistics.cost_usd"), kind: "cost" },
    { title: t("statistics.estimated_cost_usd"), kind: "estimate" },
  ];
}

export function usageCells({
  messages,
  usage,
}: {
  messages: number;
  usage: {
    input_tokens: number;
    output_tokens: number;
    cache_read_tokens: number;
    cache_write_tokens: number;
    total_tokens: number;
    cost_usd: number | null;
    estimated_cost_usd: number | null;
  };
}): Cell[] {
  return [
    messages,
    usage.input_tokens,
    usage.output_tokens,
    usage.cache_read_tokens,
    usage.cache_write_tokens,
    usage.total_tokens,
    usage.cost_usd,
    usage.estimated_cost_usd,
  ];
}

/** Saves a table as a file. */
export function saveCsv({ columns, rows }: DataTable, name: string): void {
  const titles = columns.map(({ title }) => title);
  saveText(
    csvOf(
      titles,
      rows.map(({ cells }) => cells),
    ),
    `${name}.csv`,
    "text/csv",
  );
}

/** A table that scrolls in itself; the first cell of a row leads to its sessions. */
export function TableView({ label, table: { columns, rows } }: { label: string; table: DataTable }) {
  return (
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
      tabIndex={0}
      className="max-h-100 overflow-auto rounded-lg bg-sunken"
    >
      <table className="w-full border-collapse text-sm">
        <thead className="sticky top-0 bg-sunken">
          <tr>
            {columns.map(({ title, kind }) => (
              <th
                key={title}
                scope="col"
                className={`whitespace-nowrap px-3 py-2 font-normal text-faint text-xs ${kind === "text" ? "text-left" : "text-right"}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map(({ cells, link }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else of their own
            <tr key={index} className="hover:bg-hover">
              {columns.map(({ title, kind }, column) => {
                const text = cellText(cells[column] ?? null, kind);
                return (
                  <td
                    key={title}
                    className={`px-3 py-1 ${kind === "text" ? "min-w-24 [overflow-wrap:anywhere]" : "whitespace-nowrap text-right tabular-nums"} ${cells[column] === null ? "text-faint" : ""}`}
                  >
                    {column === 0 && link ? (
                      <SessionsAnchor link={link} className="text-accent hover:underline">
                        {text}
                      </SessionsAnchor>
                    ) : (
                      text
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p className="px-3 py-2 text-faint text-xs">{t("statistics.more_rows", { count: rows.length - MAX_ROWS })}</p>
      )}
    </div>
  );
}

function cellText(cell: Cell, kind: Column["kind"]): string {
  if (cell === null) return kind === "estimate" ? "–" : t("statistics.unknown");
  if (typeof cell === "string") return cell;
  return kind === "number" ? formatNumber(cell) : formatCost(cell);
}
