import { agentName, type TreeEntry } from "@sm/core";
import { Archive, Bot, Columns2, Info, type LucideIcon, Puzzle, SquareTerminal, User, Wrench } from "lucide-react";
import { useMemo, useState } from "react";
import { Segments } from "../../design/choices.tsx";
import { EmptyState, SkeletonLines } from "../../design/placeholder.tsx";
import { useEntryContext } from "../../entries/entry-context.ts";
import { SubagentLink } from "../../entries/subagent-links.tsx";
import { costText } from "../../i18n/cost.ts";
import { t } from "../../i18n/text.ts";
import type { TranscriptReader } from "../transcript-reader.ts";
import { OutlineList } from "./outline-list.tsx";
import { OutlineText } from "./outline-text.tsx";
import { type TreeFilter, type TreeRow, treeRows } from "./tree-rows.ts";

/** Levels by which a row is indented; deeper ones stand there too. */
const DEEPEST_LEVEL = 8;

interface TreePanelProps {
  reader: TranscriptReader;
  currentId: string | null;
  onGo(entryId: string): void;
  /** Puts the branch through an entry beside the present one. */
  onCompare(entryId: string): void;
}

/** The whole session with its forks: what was said, and what was tried in its place. */
export function TreePanel({ reader, currentId, onGo, onCompare }: TreePanelProps) {
  const [filter, setFilter] = useState<TreeFilter>("prompts");
  const { tree, pages } = reader;
  const { ids } = pages;
  const { labels } = useEntryContext();
  const rows = useMemo(
    () => (tree === null ? null : treeRows(tree, new Set(ids), filter, labels)),
    [tree, filter, labels, ids],
  );
  if (rows === null) return <SkeletonLines count={8} className="p-4" />;
  return (
    <>
      <div className="px-3 pb-2">
        <Segments<TreeFilter>
          label={t("transcript.tree_filter")}
          value={filter}
          onChange={setFilter}
          options={[
            { value: "prompts", text: t("transcript.prompts") },
            { value: "bookmarks", text: t("transcript.bookmarks") },
            { value: "all", text: t("transcript.everything") },
          ]}
        />
      </div>
      {rows.length === 0 ? (
        <EmptyState title={filter === "bookmarks" ? t("transcript.no_bookmarks") : t("transcript.no_prompts")} />
      ) : (
        <OutlineList
          label={t("transcript.tree")}
          count={rows.length}
          keyOf={(index) => rows[index]?.entry.id ?? ""}
          current={rows.findIndex(({ entry }) => entry.id === currentId)}
        >
          {(index) => {
            const row = rows[index];
            if (row === undefined) return null;
            const isCurrent = row.entry.id === currentId;
            return <TreeItem row={row} labels={labels} isCurrent={isCurrent} onGo={onGo} onCompare={onCompare} />;
          }}
        </OutlineList>
      )}
    </>
  );
}

interface TreeItemProps {
  row: TreeRow;
  labels: Readonly<Record<string, string>>;
  isCurrent: boolean;
  onGo(entryId: string): void;
  onCompare(entryId: string): void;
}

function TreeItem({ row: { entry, level, startsRun, isOnBranch }, labels, isCurrent, onGo, onCompare }: TreeItemProps) {
  const Icon = iconOf(entry);
  const label = Object.hasOwn(labels, entry.id) ? labels[entry.id] : undefined;
  const style = { "--level": Math.min(level, DEEPEST_LEVEL) } as React.CSSProperties;
  const item = (
    <div className="tree-item" data-on-branch={isOnBranch || undefined} style={style}>
      <button
        type="button"
        className="outline-item"
        aria-current={isCurrent ? "location" : undefined}
        onClick={() => onGo(entry.id)}
      >
        <Icon aria-hidden className="outline-icon" strokeWidth={1.75} />
        <OutlineText entry={entry} label={label} />
      </button>
      {startsRun && !isOnBranch && (
        <button
          type="button"
          className="icon-button tree-compare"
          title={t("transcript.compare")}
          aria-label={t("transcript.compare")}
          onClick={() => onCompare(entry.id)}
        >
          <Columns2 aria-hidden size={15} />
        </button>
      )}
    </div>
  );
  if (entry.subagents === undefined) return item;
  return (
    <>
      {item}
      <div className="tree-subagents" style={style}>
        {entry.subagents.map((subagent) => (
          <SubagentLink
            key={subagent.path}
            startedAt={entry.id}
            subagent={subagent}
            facts={[agentName(subagent.format), costText(subagent)]}
          />
        ))}
      </div>
    </>
  );
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  user: User,
  assistant: Bot,
  tool: Wrench,
  bash: SquareTerminal,
  custom: Puzzle,
};

function iconOf({ kind, role }: TreeEntry): LucideIcon {
  if (kind === "summary") return Archive;
  return (Object.hasOwn(ICONS, role ?? "") ? ICONS[role ?? ""] : undefined) ?? Info;
}
