import { type RefObject, useMemo } from "react";
import { ErrorState } from "../design/error-state.tsx";
import { EmptyState, SkeletonLines } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { placeAdditions } from "./additions.ts";
import type { Attachment } from "./attachment.ts";
import { CompareView } from "./compare/compare-view.tsx";
import { NewestButton } from "./newest-button.tsx";
import { TranscriptList, type TranscriptListHandle } from "./transcript-list.tsx";
import type { TranscriptReader } from "./transcript-reader.ts";
import type { ChangeTranscriptSearch } from "./transcript-search.ts";
import type { TranscriptPlace } from "./use-place.ts";

const NOTHING: Attachment["additions"] = [];

interface TranscriptBodyProps {
  reader: TranscriptReader;
  list: RefObject<TranscriptListHandle | null>;
  place: TranscriptPlace;
  /** What its agent says that is in no file; `null` where none runs. */
  attachment: Attachment | null;
  /** An entry of another branch, which is put beside the first. */
  compare: string | undefined;
  onSearch: ChangeTranscriptSearch;
  onPlace(place: number): void;
}

/** The entries of a session, two of its branches beside each other, or why there is nothing to show. */
export function TranscriptBody({ reader, list, place, attachment, compare, onSearch, onPlace }: TranscriptBodyProps) {
  const { pages, tree } = reader;
  const additions = useAdditions(reader, attachment);
  // What an agent says is shown, whatever becomes of its file.
  if (hasFailed(reader) && attachment === null) {
    return <ErrorState title={t("transcript.failed_to_open")} error={pages.error} onRetry={() => reader.retry()} />;
  }
  if (!pages.isOpen && pages.error === null) {
    return <SkeletonLines count={9} className="mx-auto w-full max-w-184 flex-1 px-6 py-8" />;
  }
  if (pages.total === 0 && attachment === null) {
    return <EmptyState title={t("transcript.no_entries")}>{t("transcript.no_entries_text")}</EmptyState>;
  }
  if (compare !== undefined && tree !== null) {
    return (
      <CompareView
        reader={reader}
        other={compare}
        currentId={place.currentId}
        onShow={(leafId) =>
          onSearch({ leaf: reader.leafThrough(leafId) ?? undefined, entry: undefined, compare: undefined })
        }
        onClose={() => onSearch({ compare: undefined })}
      />
    );
  }
  return (
    <>
      <TranscriptList
        label={t("transcript.transcript")}
        pages={pages}
        currentId={place.currentId}
        // It goes on where the newest branch ends.
        {...(attachment !== null && reader.isNewest && { additions, now: attachment.now })}
        isFollowing={place.isFollowing}
        onFollow={place.setFollowing}
        onPlace={onPlace}
        onScrolled={place.onScrolled}
        handle={list}
      />
      {pages.error !== null && (
        <div role="alert" className="transcript-error">
          {t("transcript.failed_to_load")}
          <button type="button" className="link" onClick={() => reader.retry()}>
            {t("frame.retry")}
          </button>
        </div>
      )}
      {(!place.isFollowing || !reader.isNewest) && <NewestButton isNewest={reader.isNewest} onClick={place.toNewest} />}
    </>
  );
}

/** What is not in the file, between the entries of the branch that is shown. */
function useAdditions(reader: TranscriptReader, attachment: Attachment | null) {
  const { pages, tree, newestAt } = reader;
  const { total, ids } = pages;
  const list = attachment?.additions ?? NOTHING;
  return useMemo(() => {
    const timeAt = (place: number) => {
      const stored = pages.item(place)?.timestamp ?? tree?.entry(ids[place] ?? "")?.timestamp;
      const time = Date.parse(stored ?? "");
      return Number.isNaN(time) ? null : time;
    };
    return placeAdditions(list, { total, timeAt, newestAt });
  }, [list, pages, total, ids, tree, newestAt]);
}

/** Whether there is an error, and nothing else to show. */
export function hasFailed({ pages }: TranscriptReader): boolean {
  return pages.error !== null && (!pages.isOpen || pages.total === 0);
}
