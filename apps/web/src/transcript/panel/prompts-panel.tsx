import { useMemo } from "react";
import { EmptyState, SkeletonLines } from "../../design/placeholder.tsx";
import { useEntryContext } from "../../entries/entry-context.ts";
import { formatWhen } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import type { TranscriptReader } from "../transcript-reader.ts";
import { OutlineList } from "./outline-list.tsx";
import { OutlineText } from "./outline-text.tsx";
import { contentsPlaces } from "./prompt-places.ts";

interface PromptsPanelProps {
  reader: TranscriptReader;
  /** The place where the reader is. */
  place: number;
  onGo(entryId: string): void;
}

/** What the user has said on the branch that is shown, and what is bookmarked there. */
export function PromptsPanel({ reader, place, onGo }: PromptsPanelProps) {
  const { tree, pages } = reader;
  const { ids } = pages;
  const { labels } = useEntryContext();
  const prompts = useMemo(() => (tree === null ? null : contentsPlaces(tree, ids, labels)), [tree, ids, labels]);
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
        const { entry } = prompt;
        const isCurrent = index === prompts.findLastIndex((one) => one.place <= place);
        return (
          <button
            type="button"
            className="outline-item"
            aria-current={isCurrent ? "location" : undefined}
            onClick={() => onGo(entry.id)}
          >
            <OutlineText entry={entry} label={Object.hasOwn(labels, entry.id) ? labels[entry.id] : undefined} />
            {entry.timestamp !== null && <span className="outline-meta">{formatWhen(entry.timestamp)}</span>}
          </button>
        );
      }}
    </OutlineList>
  );
}
