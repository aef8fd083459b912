import type { SessionRecord } from "@sm/router/client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useService } from "../client/service-context.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { EmptyState, SkeletonLines } from "../design/placeholder.tsx";
import { useTitle } from "../design/screen.tsx";
import { toastError } from "../design/toast.tsx";
import { Disclosures } from "../entries/disclosures.ts";
import { EntryContext, type EntryContextValue } from "../entries/entry-context.ts";
import { EntryMenu, type EntryMenuPlace } from "../entries/entry-menu.tsx";
import { contextEditsOf } from "../entries/session-tree.ts";
import { saveEntry } from "../export/run-export.ts";
import { t } from "../i18n/text.ts";
import { CompareView } from "./compare/compare-view.tsx";
import { FindBar } from "./find/find-bar.tsx";
import { marksPattern } from "./find/pattern.ts";
import { reveal, rowOf } from "./find/reveal.ts";
import { useFind } from "./find/use-find.ts";
import { useMarks } from "./find/use-marks.ts";
import { TranscriptHeader } from "./header/transcript-header.tsx";
import { NewestButton } from "./newest-button.tsx";
import { SidePanel } from "./panel/side-panel.tsx";
import { TranscriptList, type TranscriptListHandle } from "./transcript-list.tsx";
import type { TranscriptReader } from "./transcript-reader.ts";
import type { TranscriptSearch } from "./transcript-search.ts";
import { useTranscriptActions } from "./use-transcript-actions.ts";
import "../entries/entries.css";
import "./transcript.css";
import "./narrow.css";

export interface TranscriptViewProps {
  reader: TranscriptReader;
  record: SessionRecord | null;
  path: string;
  search: TranscriptSearch;
  /** Changes the URL; a field that becomes `undefined` leaves it. */
  onSearch(change: { [Name in keyof TranscriptSearch]: TranscriptSearch[Name] | undefined }, replace?: boolean): void;
  /** The address of this page with another state. */
  hrefOf(search: TranscriptSearch): string;
}

/** A session that is open: its header, the entries of one branch, and the way around in it. */
export function TranscriptView({ reader, record, path, search, onSearch, hrefOf }: TranscriptViewProps) {
  const service = useService();
  const { pages, tree } = reader;
  const [currentId, setCurrentId] = useState(search.entry ?? null);
  const [isFollowing, setFollowing] = useState(search.entry === undefined);
  const [menu, setMenu] = useState<EntryMenuPlace | null>(null);
  const [place, setPlace] = useState(0);
  const list = useRef<TranscriptListHandle>(null);
  const body = useRef<HTMLDivElement>(null);
  const [disclosures] = useState(() => new Disclosures(() => setFollowing(false)));
  useTitle(record?.title ?? t("transcript.session"));

  // Whoever comes from a search sees what was found.
  const marksKey = JSON.stringify(search.mark ?? []);
  const marks = useMemo(() => marksPattern(JSON.parse(marksKey)), [marksKey]);

  /** Brings an entry into sight, as soon as it is known where it is. */
  const wanted = useRef<{ entryId: string; align: "start" | "center" | "auto" } | null>(
    search.entry === undefined ? null : { entryId: search.entry, align: "center" },
  );
  const settle = useCallback(() => {
    const to = wanted.current;
    const at = to === null ? -1 : reader.pages.placeOf(to.entryId);
    if (to === null || at < 0 || list.current === null) return;
    const itemAt = (place: number) => reader.pages.item(place);
    const row = marks === null ? rowOf(at, itemAt, disclosures) : reveal(at, marks, itemAt, disclosures);
    list.current.scrollTo(row, to.align);
    if (row !== at) setCurrentId(reader.pages.ids[row] ?? to.entryId);
    // Before the tree is there, the branch ends with the entry and cannot be scrolled further.
    if (reader.tree !== null && itemAt(at) !== undefined) wanted.current = null;
  }, [reader, disclosures, marks]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known of the branch decides
  useEffect(settle, [settle, reader.version]);

  const bring = useCallback(
    (entryId: string, align: "start" | "center" | "auto") => {
      setFollowing(false);
      setCurrentId(entryId);
      wanted.current = { entryId, align };
      settle();
    },
    [settle],
  );

  // Whoever goes back, forward or follows a link changes the URL.
  const shown = useRef(search);
  useEffect(() => {
    const before = shown.current;
    shown.current = search;
    if (before.leaf === search.leaf && before.entry === search.entry) return;
    reader.show({ leaf: search.leaf ?? null, entry: search.entry ?? null });
    if (search.entry !== undefined && search.entry !== before.entry) bring(search.entry, "center");
  }, [reader, search, bring]);

  const latest = useRef({ search, onSearch, hrefOf });
  latest.current = { search, onSearch, hrefOf };
  const goTo = useCallback(
    (entryId: string) => {
      const { search, onSearch } = latest.current;
      const isHere = reader.pages.placeOf(entryId) >= 0;
      const leaf = isHere ? search.leaf : (reader.leafThrough(entryId) ?? undefined);
      if (search.entry !== entryId || search.leaf !== leaf) onSearch({ entry: entryId, leaf, mark: undefined });
      bring(entryId, "center");
    },
    [reader, bring],
  );
  const switchTo = useCallback(
    (entryId: string) => {
      setFollowing(false);
      list.current?.keepPlace();
      latest.current.onSearch({ entry: undefined, leaf: reader.leafThrough(entryId) ?? undefined });
    },
    [reader],
  );
  const leafId = pages.ids.at(-1) ?? null;
  const contextEdits = useMemo(() => contextEditsOf(tree, leafId), [tree, leafId]);
  const context = useMemo<EntryContextValue>(
    () => ({
      disclosures,
      labels: pages.labels,
      contextEdits,
      replacementOf: (editId) => reader.replacement(editId),
      truncated: reader.truncated,
      saveEntry: (entry) => {
        saveEntry(service, path, entry).catch((error) => toastError(t("export.failed"), error));
      },
      tree,
      goTo,
      switchTo,
      hrefOf: (entry) => latest.current.hrefOf({ entry }),
      openMenu: (item, at) => setMenu({ item, at }),
    }),
    [disclosures, pages.labels, contextEdits, reader, service, path, tree, goTo, switchTo],
  );

  const placeInSight = useCallback(() => list.current?.firstInSight() ?? 0, []);
  const find = useFind({ reader, query: search.find ?? "", placeInSight });
  const [isFindOpen, setFindOpen] = useState(search.find !== undefined);
  const { match, pattern } = find;
  useEffect(() => {
    if (match === null || pattern === null) return;
    setFollowing(false);
    const { place, id } = match.entry;
    const row = reveal(place, pattern, (at) => reader.pages.item(at), disclosures);
    list.current?.scrollTo(row, "center");
    wanted.current = null;
    setCurrentId(reader.pages.ids[row] ?? id);
  }, [match, pattern, reader, disclosures]);
  // What is far away is loaded first, and opened then.
  const isMatchLoaded = match !== null && pages.item(match.entry.place) !== undefined;
  useEffect(() => {
    if (!isMatchLoaded || match === null || pattern === null) return;
    reveal(match.entry.place, pattern, (at) => reader.pages.item(at), disclosures);
  }, [isMatchLoaded, match, pattern, reader, disclosures]);
  const markedEntry = isFindOpen || search.entry === undefined ? null : { entryId: search.entry, nth: 0 };
  useMarks({
    container: body,
    pattern: isFindOpen ? pattern : marks,
    current: match !== null ? { entryId: match.entry.id, nth: match.nth } : markedEntry,
    onRendered: (range) => list.current?.show(range),
  });

  const openFind = () => {
    setFindOpen(true);
    body.current?.parentElement?.querySelector<HTMLInputElement>(".find-bar input")?.select();
  };
  const closeFind = () => {
    setFindOpen(false);
    onSearch({ find: undefined, mark: undefined }, true);
    list.current?.element?.focus({ preventScroll: true });
  };
  const toNewest = () => {
    if (!reader.isNewest) onSearch({ leaf: undefined, entry: undefined });
    reader.show({ leaf: null, entry: null });
    setCurrentId(null);
    setFollowing(true);
    list.current?.scrollTo(reader.pages.total - 1, "end");
  };
  const onPanel = (panel: TranscriptSearch["panel"]) => onSearch({ panel }, true);

  useTranscriptActions({
    reader,
    list,
    currentId,
    isFollowing,
    disclosures,
    panel: search.panel,
    bring,
    switchTo,
    onPanel,
    openFind,
    toNewest,
  });

  const isEmpty = pages.isOpen && pages.total === 0;
  const hasFailed = pages.error !== null && (!pages.isOpen || isEmpty);
  return (
    <EntryContext value={context}>
      <main id="content" tabIndex={-1} className="transcript flex min-w-0 flex-1 bg-paper">
        <div className="relative flex min-w-0 flex-1 flex-col">
          <TranscriptHeader
            record={record}
            hasFailed={hasFailed}
            hasBranches={(record?.branch_count ?? 0) > 1}
            panel={search.panel}
            onPanel={onPanel}
            onFind={openFind}
          />
          {isFindOpen && (
            <FindBar
              query={search.find ?? ""}
              find={find}
              total={pages.total}
              onQuery={(query) => onSearch({ find: query === "" ? undefined : query }, true)}
              onClose={closeFind}
            />
          )}
          <h2 className="sr-only">{t("transcript.transcript")}</h2>
          <div ref={body} className="relative flex min-h-0 flex-1 flex-col">
            {hasFailed ? (
              <ErrorState title={t("transcript.failed_to_open")} error={pages.error} onRetry={() => reader.retry()} />
            ) : !pages.isOpen ? (
              <SkeletonLines count={9} className="mx-auto w-full max-w-184 px-6 py-8" />
            ) : isEmpty ? (
              <EmptyState title={t("transcript.no_entries")}>{t("transcript.no_entries_text")}</EmptyState>
            ) : search.compare !== undefined && tree !== null ? (
              <CompareView
                reader={reader}
                other={search.compare}
                currentId={currentId}
                onShow={(leafId) =>
                  onSearch({ leaf: reader.leafThrough(leafId) ?? undefined, entry: undefined, compare: undefined })
                }
                onClose={() => onSearch({ compare: undefined })}
              />
            ) : (
              <>
                <TranscriptList
                  // Measured heights are those of one session.
                  key={path}
                  label={t("transcript.transcript")}
                  pages={pages}
                  currentId={currentId}
                  isFollowing={isFollowing}
                  onFollow={setFollowing}
                  onPlace={setPlace}
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
                {(!isFollowing || !reader.isNewest) && <NewestButton isNewest={reader.isNewest} onClick={toNewest} />}
              </>
            )}
          </div>
        </div>
        {search.panel !== undefined && (
          <SidePanel
            panel={search.panel}
            reader={reader}
            place={place}
            currentId={currentId}
            onPanel={onPanel}
            onGo={goTo}
            onCompare={(compare) => onSearch({ compare })}
          />
        )}
      </main>
      <EntryMenu path={path} place={menu} hrefOf={(entry) => hrefOf({ entry })} onClose={() => setMenu(null)} />
    </EntryContext>
  );
}
