import type { SessionRecord } from "@sm/router/client";
import { useCallback, useMemo, useRef, useState } from "react";
import { useService } from "../client/service-context.tsx";
import { useTitle } from "../design/screen.tsx";
import { toastError } from "../design/toast.tsx";
import { EntryContext, type EntryContextValue } from "../entries/entry-context.ts";
import { EntryMenu, type EntryMenuPlace } from "../entries/entry-menu.tsx";
import { contextEditsOf } from "../entries/session-tree.ts";
import { SourceDialog } from "../entries/source-dialog.tsx";
import { saveEntry } from "../export/run-export.ts";
import { t } from "../i18n/text.ts";
import { FindBar } from "./find/find-bar.tsx";
import { marksPattern } from "./find/pattern.ts";
import { useFindBar } from "./find/use-find-bar.ts";
import { TranscriptHeader } from "./header/transcript-header.tsx";
import { SidePanel } from "./panel/side-panel.tsx";
import { hasFailed, TranscriptBody } from "./transcript-body.tsx";
import type { TranscriptListHandle } from "./transcript-list.tsx";
import type { TranscriptReader } from "./transcript-reader.ts";
import type { ChangeTranscriptSearch, TranscriptSearch } from "./transcript-search.ts";
import { type TranscriptPlace, useTranscriptPlace } from "./use-place.ts";
import { useSubagents } from "./use-subagents.ts";
import { useTranscriptActions } from "./use-transcript-actions.ts";
import "../entries/entries.css";
import "./transcript.css";
import "./narrow.css";

export interface TranscriptViewProps {
  reader: TranscriptReader;
  record: SessionRecord | null;
  path: string;
  search: TranscriptSearch;
  onSearch: ChangeTranscriptSearch;
  /** The address of this page with another state. */
  hrefOf(search: TranscriptSearch): string;
}

/** A session that is open: its header, the entries of one branch, and the way around in it. */
export function TranscriptView({ reader, record, path, search, onSearch, hrefOf }: TranscriptViewProps) {
  const [menu, setMenu] = useState<EntryMenuPlace | null>(null);
  const [sourceId, setSourceId] = useState<string | null>(null);
  const sourceOf = useCallback((entryId: string) => reader.source(entryId), [reader]);
  const [placeInSight, setPlaceInSight] = useState(0);
  const list = useRef<TranscriptListHandle>(null);
  const body = useRef<HTMLDivElement>(null);
  useTitle(record?.title ?? t("transcript.session"));

  // Highlights the search results that led here.
  const marksKey = JSON.stringify(search.mark ?? []);
  const marks = useMemo(() => marksPattern(JSON.parse(marksKey)), [marksKey]);

  const place = useTranscriptPlace({ reader, list, marks, search, onSearch });
  const { currentId, disclosures, goTo } = place;
  const subagentOf = useSubagents(record);
  const context = useContextOfEntries({ reader, path, place, subagentOf, hrefOf, openMenu: setMenu });
  const bar = useFindBar({ ...place, reader, list, body, marks, search, onSearch });
  const onPanel = (panel: TranscriptSearch["panel"]) => onSearch({ panel }, true);
  useTranscriptActions({ ...place, reader, list, disclosures, panel: search.panel, onPanel, openFind: bar.open });

  return (
    <EntryContext value={context}>
      <main id="content" tabIndex={-1} className="transcript flex min-w-0 flex-1 bg-paper">
        <div className="relative flex min-w-0 flex-1 flex-col">
          <TranscriptHeader
            record={record}
            hasFailed={hasFailed(reader)}
            hasBranches={(record?.branch_count ?? 0) > 1}
            panel={search.panel}
            onPanel={onPanel}
            onFind={bar.open}
          />
          {bar.isOpen && (
            <FindBar
              query={search.find ?? ""}
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
              compare={search.compare}
              onSearch={onSearch}
              onPlace={setPlaceInSight}
            />
          </div>
        </div>
        {search.panel !== undefined && (
          <SidePanel
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
        path={path}
        canFork={record?.capabilities.fork !== false}
        place={menu}
        hrefOf={(entry) => hrefOf({ entry })}
        onSource={setSourceId}
        onClose={() => setMenu(null)}
      />
      <SourceDialog entryId={sourceId} sourceOf={sourceOf} onClose={() => setSourceId(null)} />
    </EntryContext>
  );
}

interface ContextOptions extends Pick<TranscriptViewProps, "reader" | "path" | "hrefOf"> {
  place: TranscriptPlace;
  subagentOf: EntryContextValue["subagentOf"];
  openMenu(menu: EntryMenuPlace): void;
}

/** What the entries of this session share; another object only where something of it is another. */
function useContextOfEntries({ reader, path, place, subagentOf, hrefOf, openMenu }: ContextOptions): EntryContextValue {
  const service = useService();
  const { pages, tree } = reader;
  const { disclosures, goTo, switchTo } = place;
  const leafId = pages.ids.at(-1) ?? null;
  const contextEdits = useMemo(() => contextEditsOf(tree, leafId), [tree, leafId]);
  const latest = useRef(hrefOf);
  latest.current = hrefOf;
  return useMemo<EntryContextValue>(
    () => ({
      disclosures,
      labels: pages.labels,
      contextEdits,
      replacementOf: (entryId, editId) => reader.replacement(entryId, editId),
      truncated: reader.truncated,
      saveEntry: (entry) => {
        saveEntry(service, path, entry).catch((error) => toastError(t("export.failed"), error));
      },
      outputOf: (entryId) => reader.output(entryId),
      tree,
      goTo,
      switchTo,
      subagentOf,
      hrefOf: (entry) => latest.current({ entry }),
      openMenu: (item, at) => openMenu({ item, at }),
    }),
    [disclosures, pages.labels, contextEdits, reader, service, path, tree, goTo, switchTo, subagentOf, openMenu],
  );
}
