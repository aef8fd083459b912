import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { useHistoryKey } from "../browser/history-places.ts";
import { useSession } from "../client/service-context.tsx";
import { useRememberRead } from "../sessions/last-read.ts";
import { readingPlaceAt } from "./reading-place.ts";
import type { ChangeTranscriptSearch, TranscriptSearch } from "./transcript-search.ts";
import { TranscriptView } from "./transcript-view.tsx";
import { useTranscriptReader } from "./use-transcript-reader.ts";

/** The session that the URL names. */
export function TranscriptScreen({ path, search }: { path: string; search: TranscriptSearch }) {
  const record = useSession(path);
  useRememberRead(path);
  const leftAt = readingPlaceAt(useHistoryKey());
  const choice = { leaf: search.leaf ?? null, entry: leftAt?.entryId ?? search.entry ?? null };
  const reader = useTranscriptReader(path, record, choice);
  const navigate = useNavigate();
  const router = useRouter();

  const onSearch = useCallback<ChangeTranscriptSearch>(
    (change, replace = false) =>
      // What the URL says of the list beside it stays.
      void navigate({ to: ".", search: (before: object) => ({ ...before, ...change }) as never, replace }),
    [navigate],
  );
  const hrefOf = useCallback(
    ({ entry, leaf = search.leaf }: TranscriptSearch) =>
      router.buildLocation({ to: "/session", search: { path, entry, leaf } as never }).href,
    [router, path, search.leaf],
  );

  if (reader === null) return <main id="content" tabIndex={-1} className="min-w-0 flex-1 bg-paper" />;
  return (
    <TranscriptView
      key={path}
      reader={reader}
      record={record}
      path={path}
      search={search}
      onSearch={onSearch}
      hrefOf={hrefOf}
    />
  );
}
