import { ChevronLeft, ChevronRight, GitFork } from "lucide-react";
import { t } from "../i18n/text.ts";
import { useEntryContext } from "./entry-context.ts";

/** Shown after a fork: the selected alternative and the others. Nothing without a fork. */
export function ForkBar({ entryId }: { entryId: string }) {
  const { tree, switchTo } = useEntryContext();
  const fork = tree?.forkAt(entryId) ?? null;
  if (fork === null || switchTo === null) return null;
  const { continuations, current } = fork;
  const step = (by: number) => {
    const next = continuations[(current + by + continuations.length) % continuations.length];
    if (next !== undefined) switchTo(next);
  };
  return (
    <nav className="fork" aria-label={t("transcript.fork")}>
      <GitFork aria-hidden size={14} />
      <button type="button" className="icon-button" aria-label={t("transcript.fork_before")} onClick={() => step(-1)}>
        <ChevronLeft aria-hidden size={14} />
      </button>
      <span>{t("transcript.fork_place", { place: current + 1, total: continuations.length })}</span>
      <button type="button" className="icon-button" aria-label={t("transcript.fork_next")} onClick={() => step(1)}>
        <ChevronRight aria-hidden size={14} />
      </button>
    </nav>
  );
}
