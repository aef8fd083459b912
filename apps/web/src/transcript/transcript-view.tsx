import type { SessionRecord } from "@sm/router/client";
import { useCallback, useMemo, useRef, useState } from "react";
import { type Notes, useNotes } from "../client/notes.ts";
import { useService } from "../client/service-context.tsx";
import { isTyping } from "../design/focus.ts";
import { useKeyboardInset } from "../design/keyboard-inset.ts";
import { useTitle } from "../design/screen.tsx";
import { toastError } from "../design/toast.tsx";
import { type PictureData, picturesOf } from "../entries/content/picture-data.ts";
import { EntryContext, type EntryContextValue } from "../entries/entry-context.ts";
import { EntryMenu, type EntryMenuPlace } from "../entries/entry-menu.tsx";
import { contextEditsOf } from "../entries/session-tree.ts";
import { SourceDialog } from "../entries/source-dialog.tsx";
import { saveEntry } from "../export/run-export.ts";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { keyCaps } from "../shortcuts/keys.ts";
import { useSessionFocus } from "../shortcuts/pane-focus.ts";
import type { Attachment } from "./attachment.ts";
import type { BranchPages } from "./branch-pages.ts";
import { contextTokens } from "./context-tokens.ts";
import { FindBar } from "./find/find-bar.tsx";
import { marksPattern } from "./find/pattern.ts";
import { useFindBar } from "./find/use-find-bar.ts";
import { TranscriptHeader } from "./header/transcript-header.tsx";
import { NoteDialog } from "./note-dialog.tsx";
import { SidePanel } from "./panel/side-panel.tsx";
import { hasFailed, TranscriptBody } from "./transcript-body.tsx";
import type { TranscriptListHandle } from "./transcript-list.tsx";
import type { TranscriptReader } from "./transcript-reader.ts";
import type { ChangeTranscriptSearch, TranscriptSearch } from "./transcript-search.ts";
import { type Bookmarking, useBookmarking, withBookmarks } from "./use-bookmarking.ts";
import { useIsAlone } from "./use-is-alone.ts";
import { type TranscriptPlace, useTranscriptPlace } from "./use-place.ts";
import { useSubagents } from "./use-subagents.ts";
import { useTranscriptActions } from "./use-transcript-actions.ts";
import "../entries/entries.css";
import "./transcript.css";
import "./narrow.css";

export interface TranscriptViewProps {
  reader: TranscriptReader;
  record: SessionRecord | null;
  /** `null` while the session has no file. */
  path: string | null;
  /** Of the agent that runs it; `undefined`: one does, and is not known yet. */
  attachment: Attachment | null | undefined;
  search: TranscriptSearch;
  onSearch: ChangeTranscriptSearch;
  /** The address of this page with another state. */
  hrefOf(search: TranscriptSearch): string;
  /** Leads back to where sessions are listed. */
  onLeave(): void;
}

const NO_CALLS: ReadonlySet<string> = new Set();

/** A session that is open: its header, the entries of one branch, and the way around in it. */
export function TranscriptView(props: TranscriptViewProps) {
  const { reader, record, path, search, onSearch, hrefOf, onLeave } = props;
  const attachment = props.attachment ?? null;
  const [menu, setMenu] = useState<EntryMenuPlace | null>(null);
  const [sourceId, setSourceId] = useState<string | null>(null);
  const sourceOf = useCallback((entryId: string) => reader.source(entryId), [reader]);
  const [placeInSight, setPlaceInSight] = useState(0);
  const list = useRef<TranscriptListHandle>(null);
  const body = useRef<HTMLDivElement>(null);
  useTitle(attachment?.title ?? (record === null ? t("transcript.session") : sessionTitle(record)));
  useSessionFocus(path, () => {
    const text = list.current?.element;
    if (!isTyping() || props.attachment === null) return text;
    return attachment === null ? null : (attachment.field.current ?? text);
  });
  const keyboard = useKeyboardInset();

  // Highlights the search results that led here.
  const marksKey = JSON.stringify(search.mark ?? []);
  const marks = useMemo(() => marksPattern(JSON.parse(marksKey)), [marksKey]);

  const place = useTranscriptPlace({ reader, list, marks, search, onSearch });
  const { currentId, disclosures, goTo } = place;
  const subagentOf = useSubagents(record);
  const notes = useNotes(path);
  const [noteOn, setNoteOn] = useState<{ entryId: string | null } | null>(null);
  const editNote = useCallback((entryId: string | null) => setNoteOn({ entryId }), []);
  const bookmarking = useBookmarking(path);
  const { bookmarks } = bookmarking;
  const openMenu = setMenu;
  const context = useContextOfEntries({
    reader,
    path,
    place,
    subagentOf,
    owner: record?.owner ?? null,
    hrefOf,
    notes,
    editNote,
    bookmarks,
    openMenu,
    runningCalls: attachment?.runningCalls ?? NO_CALLS,
  });
  const bar = useFindBar({ ...place, reader, list, body, marks, search, onSearch });
  const onPanel = (panel: TranscriptSearch["panel"]) => onSearch({ panel }, true);
  useTranscriptActions({
    ...place,
    reader,
    list,
    disclosures,
    panel: search.panel,
    onPanel,
    openFind: bar.open,
    bookmark: bookmarking.toggle,
  });

  const isAlone = useIsAlone(search);
  return (
    <EntryContext value={context}>
      <p className="print-hint">{t("transcript.print_hint", { keys: keyCaps("mod+p").join("+") })}</p>
      <main
        id="content"
        tabIndex={-1}
        className="transcript flex min-w-0 flex-1 bg-paper"
        style={keyboard === 0 ? undefined : { paddingBottom: keyboard }}
      >
        <div className="relative flex min-w-0 flex-1 flex-col">
          <TranscriptHeader
            record={record}
            attachment={attachment}
            contextTokens={contextTokens(reader.pages)}
            onLeave={onLeave}
            hasFailed={hasFailed(reader)}
            hasBranches={(record?.branch_count ?? 0) > 1}
            isAlone={isAlone}
            onShowList={() => onSearch({ panel: undefined, compare: undefined })}
            panel={search.panel}
            onPanel={onPanel}
            onFind={bar.open}
            note={notes.get(null) ?? null}
            onNote={() => editNote(null)}
          />
          {bar.isOpen && (
            <FindBar
              query={bar.query}
              find={bar.find}
              total={reader.pages.total}
              onQuery={bar.setQuery}
              onClose={bar.close}
            />
          )}
          <h2 className="sr-only">{t("transcript.transcript")}</h2>
          <div ref={body} className="relative flex min-h-0 flex-1 flex-col">
            <TranscriptBody
              // Measured heights are those of one session.
              key={path}
              reader={reader}
              list={list}
              place={place}
              attachment={attachment}
              compare={search.compare}
              onSearch={onSearch}
              onPlace={setPlaceInSight}
            />
          </div>
          {attachment?.below(reader)}
        </div>
        {search.panel !== undefined && (
          <SidePanel
            path={path}
            panel={search.panel}
            reader={reader}
            place={placeInSight}
            currentId={currentId}
            onPanel={onPanel}
            onGo={goTo}
            onCompare={(compare) => onSearch({ compare })}
          />
        )}
      </main>
      <EntryMenu
        path={path ?? ""}
        canFork={record?.capabilities.fork !== false}
        place={menu}
        hrefOf={(entry) => hrefOf({ entry })}
        onSource={setSourceId}
        hasNote={(entryId) => notes.has(entryId)}
        onNote={editNote}
        isBookmarked={(entryId) => bookmarks.has(entryId)}
        onBookmark={bookmarking.toggle}
        onClose={() => setMenu(null)}
      />
      {noteOn !== null && path !== null && (
        <NoteDialog
          path={path}
          entryId={noteOn.entryId}
          text={notes.get(noteOn.entryId) ?? ""}
          onClose={() => setNoteOn(null)}
        />
      )}
      <SourceDialog entryId={sourceId} sourceOf={sourceOf} onClose={() => setSourceId(null)} />
    </EntryContext>
  );
}

function picturesIn(pages: BranchPages): PictureData[] {
  return pages.ids.flatMap((_, place) => {
    const one = pages.item(place);
    return one === undefined ? [] : picturesOf(one);
  });
}

interface ContextOptions extends Pick<TranscriptViewProps, "reader" | "path" | "hrefOf"> {
  place: TranscriptPlace;
  owner: string | null;
  subagentOf: EntryContextValue["subagentOf"];
  notes: Notes;
  editNote(entryId: string | null): void;
  bookmarks: Bookmarking["bookmarks"];
  openMenu(menu: EntryMenuPlace): void;
  runningCalls: ReadonlySet<string>;
}

/** What the entries of this session share; another object only where something of it is another. */
function useContextOfEntries(options: ContextOptions): EntryContextValue {
  const { reader, path, place, owner, subagentOf, hrefOf, notes, editNote, bookmarks, openMenu, runningCalls } =
    options;
  const service = useService();
  const { pages, tree } = reader;
  const { disclosures, goTo, switchTo } = place;
  const leafId = pages.ids.at(-1) ?? null;
  const contextEdits = useMemo(() => contextEditsOf(tree, leafId), [tree, leafId]);
  const labels = useMemo(() => withBookmarks(pages.labels, bookmarks), [pages.labels, bookmarks]);
  const latest = useRef(hrefOf);
  latest.current = hrefOf;
  return useMemo<EntryContextValue>(
    () => ({
      disclosures,
      owner,
      labels,
      contextEdits,
      replacementOf: (entryId, editId) => reader.replacement(entryId, editId),
      truncated: reader.truncated,
      saveEntry: (entry) => {
        saveEntry(service, path ?? "", entry).catch((error) => toastError(t("export.failed"), error));
      },
      outputOf: (entryId) => reader.output(entryId),
      pictures: () => picturesIn(pages),
      tree,
      goTo,
      switchTo,
      subagentOf,
      notes,
      editNote,
      hrefOf: (entry) => latest.current({ entry }),
      openMenu: (item, at) => openMenu({ item, at }),
      runningCalls,
    }),
    [
      disclosures,
      owner,
      labels,
      contextEdits,
      reader,
      service,
      path,
      pages,
      tree,
      goTo,
      switchTo,
      subagentOf,
      notes,
      editNote,
      openMenu,
      runningCalls,
    ],
  );
}
