import type { TreeEntry } from "@sm/core";
import { X } from "lucide-react";
import { useContext, useEffect, useMemo, useState } from "react";
import { Button, IconButton } from "../../design/button.tsx";
import { Segments } from "../../design/choices.tsx";
import { EntryContext } from "../../entries/entry-context.ts";
import { previewText } from "../../entries/preview-text.ts";
import { contextEditsOf, sharedLength } from "../../entries/session-tree.ts";
import { t } from "../../i18n/text.ts";
import type { BranchPages } from "../branch-pages.ts";
import { TranscriptList } from "../transcript-list.tsx";
import type { TranscriptReader } from "../transcript-reader.ts";

interface CompareViewProps {
  reader: TranscriptReader;
  /** An entry of the branch to compare with. */
  other: string;
  currentId: string | null;
  /** Shows one of the branches alone. */
  onShow(leafId: string): void;
  onClose(): void;
}

/** Two branches side by side, from where they part; on a phone one of the two. */
export function CompareView({ reader, other, currentId, onShow, onClose }: CompareViewProps) {
  const { tree, pages } = reader;
  const [onPhone, setOnPhone] = useState<"first" | "second">("second");
  const otherPages = useMemo(() => reader.branchPages(), [reader]);
  const otherIds = useMemo(() => (tree === null ? [] : tree.branch(tree.leafBelow(other))), [tree, other]);
  useEffect(() => otherPages.setBranch(otherIds), [otherPages, otherIds]);
  useEffect(() => () => otherPages.close(), [otherPages]);

  const context = useContext(EntryContext);
  // After switching to another branch here, both would disappear.
  const otherLeaf = otherIds.at(-1) ?? null;
  const contextOf = useMemo(() => {
    const first = context === null ? null : { ...context, switchTo: null };
    return { first, second: first === null ? null : { ...first, contextEdits: contextEditsOf(tree, otherLeaf) } };
  }, [context, tree, otherLeaf]);
  const ids = pages.ids.map((id) => id ?? "");
  const from = sharedLength(ids, otherIds);
  const columns = [
    { key: "first", pages, ids },
    { key: "second", pages: otherPages, ids: otherIds },
  ] as const;
  return (
    <>
      <div className="compare-bar">
        <p className="min-w-0 flex-1 truncate text-muted text-sm phone:hidden">
          {t("transcript.shared_entries", { count: from })}
        </p>
        <div className="min-w-0 flex-1 desk:hidden">
          <Segments<"first" | "second">
            label={t("transcript.compare")}
            value={onPhone}
            onChange={setOnPhone}
            options={[
              { value: "first", text: t("transcript.branch_shown") },
              { value: "second", text: t("transcript.branch_other") },
            ]}
          />
        </div>
        <IconButton icon={X} size="sm" label={t("transcript.compare_end")} onClick={onClose} />
      </div>
      <div className="flex min-h-0 flex-1">
        {columns.map(({ key, pages, ids }) => (
          <section
            key={key}
            className={`compare-column ${onPhone === key ? "" : "phone:hidden"}`}
            aria-label={key === "first" ? t("transcript.branch_shown") : t("transcript.branch_other")}
          >
            <header className="compare-head">
              <span className="min-w-0 flex-1 truncate">
                {firstLine(tree?.entry(ids[from] ?? "") ?? null) || t("transcript.ends_here")}
              </span>
              <Button size="sm" variant="ghost" onClick={() => onShow(ids.at(-1) ?? "")}>
                {t("transcript.show_branch")}
              </Button>
            </header>
            <EntryContext value={contextOf[key]}>
              <ComparedList pages={pages} from={from} currentId={currentId} />
            </EntryContext>
          </section>
        ))}
      </div>
    </>
  );
}

function firstLine(entry: TreeEntry | null): string {
  return entry === null ? "" : previewText(entry);
}

function ComparedList({ pages, from, currentId }: { pages: BranchPages; from: number; currentId: string | null }) {
  return (
    <TranscriptList
      label={t("transcript.transcript")}
      pages={pages}
      from={from}
      currentId={currentId}
      isFollowing={false}
      onFollow={() => {}}
    />
  );
}
