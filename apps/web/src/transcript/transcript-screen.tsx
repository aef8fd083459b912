import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { useHistoryKey } from "../browser/history-places.ts";
import { useSession } from "../client/service-context.tsx";
import { useFirstScreen } from "../design/first-screen.ts";
import { useRememberRead } from "../sessions/last-read.ts";
import type { Attachment } from "./attachment.ts";
import { readingPlaceAt } from "./reading-place.ts";
import type { ChangeTranscriptSearch, TranscriptSearch } from "./transcript-search.ts";
import { TranscriptView } from "./transcript-view.tsx";
import { useTranscriptReader } from "./use-transcript-reader.ts";

interface TranscriptScreenProps {
  /** `null` while the session has no file. */
  path: string | null;
  /** Another one where another session is shown. */
  sessionKey: string;
  search: TranscriptSearch;
  /** Of the agent that runs it; `null`: none does; `undefined`: one does, and is not known yet. */
  attachment: Attachment | null | undefined;
  /** Leads back to where sessions are listed. */
  onLeave(): void;
}

/** A session, stored or live. */
export function TranscriptScreen({ path, sessionKey, search, attachment, onLeave }: TranscriptScreenProps) {
  const record = useSession(path);
  useRememberRead(path);
  const leftAt = readingPlaceAt(useHistoryKey());
  const choice = { leaf: search.leaf ?? null, entry: leftAt?.entryId ?? search.entry ?? null };
  const reader = useTranscriptReader(path, record, choice);
  useFirstScreen(reader !== null && (reader.pages.isOpen || reader.pages.error !== null));
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
      path === null ? "#" : router.buildLocation({ to: "/session", search: { path, entry, leaf } as never }).href,
    [router, path, search.leaf],
  );

  if (reader === null) return <main id="content" tabIndex={-1} className="min-w-0 flex-1 bg-paper" />;
  return (
    <TranscriptView
      key={sessionKey}
      reader={reader}
      record={record}
      path={path}
      attachment={attachment}
      search={search}
      onSearch={onSearch}
      hrefOf={hrefOf}
      onLeave={onLeave}
    />
  );
}
