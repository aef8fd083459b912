import type { TranscriptItem } from "@sm/core";
import { useRef } from "react";
import { useIsAnyOpen } from "../entries/disclosures.ts";
import { useEntryContext } from "../entries/entry-context.ts";
import { EntryView } from "../entries/entry-view.tsx";
import { Placeholder } from "../entries/placeholder.tsx";
import type { ReadingRun } from "../entries/reading-run.ts";
import { isSameRow, type Row, rowAt } from "../entries/rows.ts";
import type { BranchPages } from "./branch-pages.ts";
import { DayMark } from "./day-mark.tsx";

interface RowViewProps {
  place: number;
  row: Row;
  run: ReadingRun | null;
  pages: BranchPages;
  currentId: string | null;
  startsDay: boolean;
}

const NONE: readonly string[] = [];

/** Shows what a place of a branch has in the list. */
export function RowView({ place, row, run, pages, currentId, startsDay }: RowViewProps) {
  const { disclosures } = useEntryContext();
  const isRunOpen = useIsAnyOpen(disclosures, "runs", run?.ids ?? NONE);
  if (row.kind === "absorbed" || (run !== null && place !== run.first && !isRunOpen)) return null;
  if (row.kind === "missing") return <Placeholder entryId={pages.ids[place] ?? null} />;
  const { item } = row;
  return (
    <>
      {startsDay && item.timestamp !== null && <DayMark time={item.timestamp} />}
      <EntryView
        row={row}
        isCurrent={item.id === currentId}
        showsModel={showsModel(place, item, pages)}
        run={place === run?.first ? run : null}
      />
    </>
  );
}

/** Answers above that are looked at for their model. */
const MAX_INSPECTED = 64;

function showsModel(place: number, item: TranscriptItem, pages: BranchPages): boolean {
  if (item.kind !== "message" || item.role !== "assistant") return false;
  for (let at = place - 1; at >= Math.max(0, place - MAX_INSPECTED); at--) {
    const before = pages.item(at);
    if (before === undefined) return false;
    if (before.kind === "message" && before.role === "assistant") return before.model !== item.model;
  }
  return true;
}

/** Cached rows: more than a screen has, and few enough to be dropped together. */
const MAX_KEPT = 1_000;

/** Gives the rows of a branch, the same object as long as a row shows the same. */
export function useRows(pages: BranchPages): (place: number) => Row {
  const kept = useRef(new Map<number, Row>());
  return (place) => {
    const row = rowAt(place, (at) => pages.item(at));
    const before = kept.current.get(place);
    if (before !== undefined && isSameRow(before, row)) return before;
    if (kept.current.size === MAX_KEPT) kept.current.clear();
    kept.current.set(place, row);
    return row;
  };
}
