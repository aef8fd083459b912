import { useMemo } from "react";
import { EmptyState, SkeletonLines } from "../../design/placeholder.tsx";
import { previewText } from "../../entries/preview-text.ts";
import { formatWhen } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import type { TranscriptReader } from "../transcript-reader.ts";
import { OutlineList } from "./outline-list.tsx";
import { promptPlaces } from "./prompt-places.ts";

interface PromptsPanelProps {
  reader: TranscriptReader;
  /** The place where the reader is. */
  place: number;
  onGo(entryId: string): void;
}

/** What the user has said on the branch that is shown. */
export function PromptsPanel({ reader, place, onGo }: PromptsPanelProps) {
  const { tree, pages } = reader;
  const { ids } = pages;
  const prompts = useMemo(() => (tree === null ? null : promptPlaces(tree, ids)), [tree, ids]);
  if (prompts === null) return <SkeletonLines count={6} className="p-4" />;
  if (prompts.length === 0) return <EmptyState title={t("transcript.no_prompts")} />;
  return (
    <OutlineList
      label={t("transcript.prompts")}
      count={prompts.length}
      keyOf={(index) => prompts[index]?.entry.id ?? ""}
      current={prompts.findLastIndex((prompt) => prompt.place <= place)}
    >
      {(index) => {
        const prompt = prompts[index];
        if (prompt === undefined) return null;
        const isCurrent = index === prompts.findLastIndex((one) => one.place <= place);
        return (
          <button
            type="button"
            className="outline-item"
            aria-current={isCurrent ? "location" : undefined}
            onClick={() => onGo(prompt.entry.id)}
          >
            <span className="outline-text">{previewText(prompt.entry) || t("transcript.prompt_without_text")}</span>
            {prompt.entry.timestamp !== null && (
              <span className="outline-meta">{formatWhen(prompt.entry.timestamp)}</span>
            )}
          </button>
        );
      }}
    </OutlineList>
  );
}
