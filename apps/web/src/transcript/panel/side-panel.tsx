import { X } from "lucide-react";
import { IconButton } from "../../design/button.tsx";
import { Segments } from "../../design/choices.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { EmptyState } from "../../design/placeholder.tsx";
import { t } from "../../i18n/text.ts";
import type { TranscriptReader } from "../transcript-reader.ts";
import type { TranscriptSearch } from "../transcript-search.ts";
import { ChangesPanel, usePreloadChanges } from "./changes-panel.tsx";
import { PromptsPanel } from "./prompts-panel.tsx";
import { TreePanel } from "./tree-panel.tsx";

interface SidePanelProps {
  /** `null` while the session has no file. */
  path: string | null;
  panel: NonNullable<TranscriptSearch["panel"]>;
  reader: TranscriptReader;
  place: number;
  currentId: string | null;
  onPanel(panel: TranscriptSearch["panel"]): void;
  onGo(entryId: string): void;
  onCompare(entryId: string): void;
}

/** The way around in a session, beside it; on a phone over it. */
export function SidePanel({ path, panel, reader, place, currentId, onPanel, onGo, onCompare }: SidePanelProps) {
  const preloadChanges = usePreloadChanges(path, reader);
  const close = () => onPanel(undefined);
  /** Where it covers what one has gone to, or leaves no room for it. */
  const andLeave =
    (go: (entryId: string) => void, where = "(width < 700px)"): ((entryId: string) => void) =>
    (entryId) => {
      go(entryId);
      if (matchMedia(where).matches) close();
    };
  return (
    <aside
      className="side-panel"
      data-panel={panel}
      aria-label={t("transcript.panel")}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        // An agent that works would be interrupted.
        event.preventDefault();
        close();
      }}
    >
      <div className="flex items-center gap-2 px-3 py-2">
        <div className="min-w-0 flex-1">
          <Segments<NonNullable<TranscriptSearch["panel"]>>
            label={t("transcript.panel")}
            value={panel}
            onChange={onPanel}
            onIntent={(intended) => intended === "changes" && preloadChanges()}
            options={[
              { value: "prompts", text: t("transcript.contents") },
              { value: "tree", text: t("transcript.tree") },
              { value: "changes", text: t("transcript.changes") },
            ]}
          />
        </div>
        <IconButton icon={X} size="sm" label={t("frame.close")} onClick={close} />
      </div>
      {path === null ? (
        <EmptyState title={t("transcript.no_file")}>{t("transcript.no_file_text")}</EmptyState>
      ) : panel === "changes" ? (
        <ChangesPanel path={path} reader={reader} onGo={andLeave(onGo)} />
      ) : reader.treeError !== null && reader.tree === null ? (
        <ErrorState title={t("transcript.tree_failed")} error={reader.treeError} onRetry={() => reader.retry()} />
      ) : panel === "prompts" ? (
        <PromptsPanel reader={reader} place={place} onGo={andLeave(onGo)} />
      ) : (
        <TreePanel
          reader={reader}
          currentId={currentId}
          onGo={andLeave(onGo)}
          onCompare={andLeave(onCompare, "(width < 1280px)")}
        />
      )}
    </aside>
  );
}
