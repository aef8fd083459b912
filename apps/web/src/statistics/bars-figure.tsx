import { type ReactNode, useState } from "react";
import { Button } from "../design/button.tsx";
import { t } from "../i18n/text.ts";
import type { DataTable } from "./data-table.tsx";
import { Figure } from "./figure.tsx";
import { SessionsAnchor } from "./sessions-anchor.tsx";
import type { SessionsLink } from "./sessions-link.ts";
import type { FigureName } from "./statistics-search.ts";

export interface Bar {
  key: string;
  name: ReactNode;
  /** Explains a name that is cut. */
  title?: string | undefined;
  /** Beside the name, weaker. */
  note?: string | null;
  /** `null` where it is not known. */
  amount: number | null;
  text: string;
  /** A part of the amount that is drawn as such, such as failures. */
  part?: number;
  link: SessionsLink | null;
}

export interface BarsFigureProps {
  name: FigureName;
  title: string;
  readout?: ReactNode;
  bars: readonly Bar[];
  table: DataTable;
}

const FEW = 8;

/** Names with how much each is of. */
export function BarsFigure({ name, title, readout, bars, table }: BarsFigureProps) {
  const [areAllShown, showAll] = useState(false);
  const most = Math.max(...bars.map(({ amount }) => amount ?? 0), 0);
  const shown = areAllShown ? bars : bars.slice(0, FEW);
  return (
    <Figure name={name} title={title} readout={readout} table={table}>
      <ul className="flex flex-col gap-0.5">
        {shown.map(({ key, link, ...bar }) => (
          <li key={key}>
            {link === null ? (
              <span className={ROW}>
                <BarContent {...bar} most={most} />
              </span>
            ) : (
              <SessionsAnchor link={link} title={bar.title} className={`${ROW} hover:bg-hover`}>
                <BarContent {...bar} most={most} />
              </SessionsAnchor>
            )}
          </li>
        ))}
      </ul>
      {bars.length > FEW && (
        <Button variant="ghost" size="sm" className="self-start" onClick={() => showAll(!areAllShown)}>
          {areAllShown ? t("rail.show_fewer") : t("rail.show_all", { count: bars.length - FEW })}
        </Button>
      )}
    </Figure>
  );
}

const ROW = "-mx-2 flex flex-col gap-1 rounded-md px-2 py-1 touch:min-h-11 touch:justify-center";

function BarContent({
  name,
  note,
  amount,
  text,
  part = 0,
  most,
}: Omit<Bar, "key" | "link" | "title"> & { most: number }) {
  const share = (value: number) => `${most === 0 ? 0 : (value / most) * 100}%`;
  return (
    <>
      <span className="flex items-baseline gap-2 text-sm">
        <span className="truncate">{name}</span>
        {note && <span className="min-w-0 flex-1 truncate text-faint text-xs">{note}</span>}
        <span className={`ml-auto shrink-0 tabular-nums ${amount === null ? "text-faint" : "text-muted"}`}>{text}</span>
      </span>
      <span aria-hidden className="flex h-1.5 overflow-hidden rounded-full bg-heat-0">
        <span className="bg-heat-3" style={{ width: share((amount ?? 0) - part) }} />
        {part > 0 && <span className="bg-danger" style={{ width: share(part) }} />}
      </span>
    </>
  );
}
