import type { TranscriptItem } from "@sm/core";
import { memo } from "react";
import { Bookmark } from "./bookmark.tsx";
import { ContextEditMark } from "./context-edit.tsx";
import { useEntryContext } from "./entry-context.ts";
import { EntryHead } from "./entry-head.tsx";
import { EntryNote } from "./entry-note.tsx";
import { ForkBar } from "./fork-bar.tsx";
import { ItemBody } from "./item-body.tsx";
import type { ReadingRun } from "./reading-run.ts";
import type { Row } from "./rows.ts";
import { speakerName } from "./speaker-name.ts";
import { TruncatedNote } from "./truncated-note.tsx";

type FilledRow = Extract<Row, { item: TranscriptItem }>;

interface EntryViewProps {
  row: FilledRow;
  /** Where the keyboard is, or a link has led to. */
  isCurrent: boolean;
  /** The model differs from that of the answer above. */
  showsModel: boolean;
  /** The run of calls that begins with it. */
  run: ReadingRun | null;
}

/** Shows an entry of a transcript. */
export const EntryView = memo(function EntryView({ row, isCurrent, showsModel, run }: EntryViewProps) {
  const { item } = row;
  const { labels, owner, truncated } = useEntryContext();
  const isPassing =
    row.continues || item.kind === "note" || item.kind === "summary" || (item.kind === "message" && item.hidden);
  const kind = item.kind === "message" ? item.role : item.kind;
  return (
    <>
      <ForkBar entryId={item.id} />
      <article
        className={`entry entry-${kind}`}
        data-entry={item.id}
        data-current={isCurrent || undefined}
        data-continues={row.continues || undefined}
        aria-label={speakerName(item, owner)}
        tabIndex={-1}
      >
        <EntryHead
          item={item}
          usage={row.kind === "message" ? row.usage : null}
          isPassing={isPassing}
          showsModel={showsModel}
        />
        {isPassing && <Bookmark entryId={item.id} labels={labels} />}
        {/* Of an entry without long texts nothing else is left. */}
        {isNothingLeft(item) && truncated.has(item.id) ? null : <ItemBody row={row} run={run} />}
        {/* Results say it where they stand, with their calls too. */}
        {item.kind !== "tool_result" && <TruncatedNote entryId={item.id} />}
        <EntryNote entryId={item.id} />
        {item.kind === "message" && <ContextEditMark entryId={item.id} />}
      </article>
    </>
  );
});

function isNothingLeft(item: TranscriptItem): boolean {
  return item.kind === "note" && item.type === "truncated";
}
