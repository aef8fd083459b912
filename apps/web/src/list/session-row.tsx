import type { SessionRecord } from "@sm/router/client";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Ellipsis, GitFork, Star, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, memo, useEffect, useRef } from "react";
import type { TagTree } from "../client/tags.ts";
import { Badge } from "../design/badge.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import { TagDot } from "../design/chip.tsx";
import { classNames } from "../design/class-names.ts";
import { costText, costTitle } from "../i18n/cost.ts";
import { formatCompact, formatMoment, formatTime, formatWhen } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import type { SessionActions } from "../sessions/session-actions.ts";
import type { ListSearch } from "./list-search.ts";

export interface SessionRowProps {
  record: SessionRecord;
  depth: number;
  /** Of the row, for what the grid says of it. */
  id: string;
  rowIndex: number;
  /** Whether its subagents are shown below. */
  isUnfolded: boolean;
  isOpen: boolean;
  isSelected: boolean;
  /** Whether the keyboard is here. */
  isActive: boolean;
  /** Whether rows are being chosen, so that every one shows its box. */
  isSelecting: boolean;
  isRenaming: boolean;
  /** What the rows are grouped by need not be said in each. */
  group: NonNullable<ListSearch["group"]>;
  /** Of the agent; `null` where all rows are of one. */
  agentName: string | null;
  /** Of its working directory; `null` where that is said elsewhere. */
  project: string | null;
  tags: TagTree;
  actions: SessionActions;
  onClick(event: MouseEvent, path: string): void;
  onToggle(path: string, isRange: boolean): void;
  onMenu(path: string, at: { x: number; y: number }): void;
  onRenamed(): void;
  onUnfold(path: string): void;
}

const ICON_BUTTON =
  "flex size-7 items-center justify-center rounded-md text-muted hover:bg-press hover:text-ink touch:size-10";

/** One session. It keeps its height whatever is in it. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { record, depth, id, isOpen, isSelected, isActive, isSelecting, isRenaming, actions } = props;
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={props.rowIndex}
      aria-selected={isSelected}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onMenu(record.path, { x: event.clientX, y: event.clientY });
      }}
      className={classNames(
        "group relative mx-2 flex h-full select-none rounded-md pr-2",
        isSelected ? "bg-selected" : isOpen ? "bg-press" : "hover:bg-hover",
        isOpen && "after:absolute after:inset-y-1.5 after:left-0 after:w-0.75 after:rounded-full after:bg-accent",
        isActive && "in-focus-visible:outline-2 in-focus-visible:outline-accent -outline-offset-2",
      )}
      style={depth === 0 ? undefined : { paddingLeft: Math.min(depth, 6) * 16 }}
    >
      <div
        role="gridcell"
        className="flex w-8 shrink-0 items-start justify-center pt-3 compact:pt-1.5 touch:w-10 touch:pt-4 compact:touch:pt-2.5"
      >
        <Mark {...props} isShown={isSelecting} />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col justify-center gap-0.5 compact:gap-0">
        <div className="flex items-center gap-2">
          {isRenaming ? <RenameField {...props} /> : <Title {...props} />}
          <time
            dateTime={record.modified_at}
            title={formatMoment(record.modified_at)}
            className="shrink-0 text-faint text-xs tabular-nums group-hover:invisible touch:group-hover:visible"
          >
            {props.group === "day" ? formatTime(record.modified_at) : formatWhen(record.modified_at)}
          </time>
        </div>
        <Facts {...props} />
      </div>
      <div
        role="gridcell"
        className="absolute top-1 right-2 hidden gap-0.5 group-hover:flex touch:relative touch:inset-auto touch:flex touch:items-center"
      >
        <button
          type="button"
          tabIndex={-1}
          aria-label={t(record.is_favorite ? "list.remove_favorite" : "list.add_favorite")}
          onClick={() => actions.setFavorite([record], !record.is_favorite)}
          className={classNames(ICON_BUTTON, "touch:hidden")}
        >
          <Star aria-hidden size={15} strokeWidth={1.75} className={record.is_favorite ? FILLED_STAR : ""} />
        </button>
        <button
          type="button"
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={t("list.menu_of", { title: sessionTitle(record) })}
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect();
            props.onMenu(record.path, { x: left, y: bottom });
          }}
          className={ICON_BUTTON}
        >
          <Ellipsis aria-hidden size={16} strokeWidth={1.75} />
        </button>
      </div>
    </div>
  );
});

const FILLED_STAR = "fill-star text-star";

/** Above the link that covers the row, and larger for the pointer than for the eye. */
const BOX = "relative z-1 [&>button]:before:absolute [&>button]:before:-inset-2 touch:[&>button]:before:-inset-3.5";

/** What the session is marked with; its place is that of the box to choose it. */
function Mark({ record, isSelected, onToggle, isShown }: SessionRowProps & { isShown: boolean }) {
  return (
    <>
      <span className={classNames(BOX, isShown ? "flex" : "hidden group-hover:flex touch:group-hover:hidden")}>
        <Checkbox
          tabIndex={-1}
          checked={isSelected}
          onCheckedChange={(_checked, { shiftKey }) => onToggle(record.path, shiftKey)}
          aria-label={t("list.select")}
        />
      </span>
      {!isShown && (
        <span className="flex h-4 items-center group-hover:hidden touch:group-hover:flex">
          {record.is_live ? (
            <span
              role="img"
              aria-label={t("list.live")}
              className="size-2 animate-[breathe_2s_infinite] rounded-full bg-live"
            />
          ) : (
            record.is_favorite && (
              <Star role="img" aria-label={t("list.favorite")} size={13} strokeWidth={1.75} className={FILLED_STAR} />
            )
          )}
        </span>
      )}
    </>
  );
}

/** Leads to the session; all of the row does. */
function Title({ record, isOpen, onClick }: SessionRowProps) {
  return (
    <Link
      to="/session"
      search={(search) => ({ ...search, path: record.path, entry: undefined, leaf: undefined }) as never}
      tabIndex={-1}
      preload={false}
      draggable={false}
      aria-current={isOpen ? "page" : undefined}
      activeProps={{}}
      onClick={(event) => onClick(event, record.path)}
      className="min-w-0 flex-1 truncate text-base text-ink before:absolute before:inset-0"
    >
      {sessionTitle(record)}
    </Link>
  );
}

function RenameField({ record, actions, onRenamed }: SessionRowProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") event.currentTarget.value = event.currentTarget.defaultValue;
    if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
  }
  return (
    <input
      ref={field}
      onFocus={({ currentTarget }) => currentTarget.select()}
      aria-label={t("list.rename_label")}
      defaultValue={record.name ?? sessionTitle(record)}
      maxLength={200}
      // Where all ways end.
      onBlur={({ currentTarget: { value, defaultValue } }) => {
        if (value !== defaultValue) actions.rename(record.path, value);
        onRenamed();
      }}
      onKeyDown={onKeyDown}
      className="-mx-1 h-6 min-w-0 flex-1 rounded-sm bg-field px-1 text-base outline-2 outline-accent"
    />
  );
}

/** The second line: where it was, how much it is, what it is tagged with. */
function Facts({ record, project, agentName, isUnfolded, tags, onUnfold }: SessionRowProps) {
  const model = record.models.at(-1);
  const cost = costText(record.usage);
  const attached = record.tag_ids.flatMap((id) => tags.byId.get(id) ?? []);
  return (
    <div className="flex min-w-0 items-center gap-2 text-muted text-xs">
      {/* One line: what has no place in it goes to the next, which is not shown. */}
      <span className="flex h-4.5 min-w-0 flex-1 flex-wrap content-start items-center gap-x-1.5 overflow-hidden whitespace-nowrap leading-4.5">
        {agentName !== null && <Badge text={agentName} />}
        {record.source === "vault" && <Badge text={t("list.from_vault")} title={t("list.from_vault_title")} />}
        {record.expires_at !== null && (
          <Badge
            text={t("list.expiring")}
            title={t("list.expiring_title", { time: formatMoment(record.expires_at) })}
          />
        )}
        {record.relation === "fork" && (
          <GitFork
            role="img"
            aria-label={t("list.fork")}
            size={12}
            strokeWidth={1.75}
            className="shrink-0 text-faint"
          />
        )}
        {record.malformed_lines > 0 && (
          <TriangleAlert
            role="img"
            aria-label={t("list.damaged", { count: record.malformed_lines })}
            size={12}
            strokeWidth={1.75}
            className="shrink-0 text-warning"
          />
        )}
        {project !== null && (
          <Fact title={record.cwd ?? undefined} isFirst>
            {project}
          </Fact>
        )}
        <Fact title={t("list.messages", { count: record.message_count })} isFirst={project === null}>
          {t("list.messages_short", { count: record.message_count })}
        </Fact>
        {cost !== null && <Fact title={costTitle(record.usage)}>{cost}</Fact>}
        {model !== undefined && (
          <Fact title={record.models.join(", ")} canShrink>
            {model}
          </Fact>
        )}
      </span>
      {record.subagent_count > 0 && <Subagents record={record} isUnfolded={isUnfolded} onUnfold={onUnfold} />}
      {attached.slice(0, 2).map((tag) => (
        <span key={tag.id} className="flex max-w-24 shrink-0 items-center gap-1 text-faint" title={tag.name}>
          <TagDot color={tag.color} />
          <span className="truncate">{tag.name}</span>
        </span>
      ))}
      {attached.length > 2 && (
        <span className="shrink-0 text-faint" title={attached.map(({ name }) => name).join(", ")}>
          +{formatCompact(attached.length - 2)}
        </span>
      )}
    </div>
  );
}

interface FactProps {
  title?: string | undefined;
  isFirst?: boolean;
  canShrink?: boolean;
  children: string;
}

/** How many agents it has started, those of theirs included, and what they cost; shows those below it. */
function Subagents({ record, isUnfolded, onUnfold }: Pick<SessionRowProps, "record" | "isUnfolded" | "onUnfold">) {
  const { path, subagent_count: count, subagent_usage: usage } = record;
  const cost = usage === null ? null : costText(usage);
  const text = t("list.subagents", { count });
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-expanded={isUnfolded}
      title={usage === null ? undefined : costTitle(usage)}
      onClick={() => onUnfold(path)}
      // Above the link that covers the row, and larger for the pointer than for the eye.
      className="relative z-1 flex shrink-0 items-center gap-0.5 rounded-sm before:absolute before:-inset-x-1 before:-inset-y-1.5 hover:text-ink touch:before:-inset-y-3"
    >
      <ChevronRight aria-hidden size={12} className={isUnfolded ? "rotate-90" : ""} />
      {cost === null ? text : `${text} · ${cost}`}
    </button>
  );
}

function Fact({ title, isFirst = false, canShrink = false, children }: FactProps) {
  return (
    <span
      title={title}
      className={classNames("truncate", isFirst ? "max-w-2/5" : canShrink ? "min-w-0 flex-[1_1_3.5rem]" : "shrink-0")}
    >
      {!isFirst && (
        <span aria-hidden className="mr-1.5 text-faint">
          ·
        </span>
      )}
      {children}
    </span>
  );
}
