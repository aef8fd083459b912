import { ChevronRight, GitFork, Monitor, TriangleAlert } from "lucide-react";
import { Badge } from "../design/badge.tsx";
import { TagDot } from "../design/chip.tsx";
import { classNames } from "../design/class-names.ts";
import { costText, costTitle } from "../i18n/cost.ts";
import { formatBytes, formatCompact, formatMoment, formatSpan } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { RowChanges } from "./row-changes.tsx";
import { isOutcome, StateIcon } from "./row-mark.tsx";
import type { SessionRowProps } from "./row-props.ts";
import { rowText } from "./row-text.ts";

/** The second line: where it was, what was said, and at its end how much it is and what it is tagged with. */
export function RowFacts(props: SessionRowProps) {
  const { record, machine, project } = props;
  const text = rowText(record);
  return (
    <div className="@container flex h-4.5 min-w-0 items-center gap-2 overflow-x-clip whitespace-nowrap text-muted text-xs compact:h-4">
      <span className="flex min-w-0 flex-1 items-center gap-1.5 overflow-x-clip">
        <Signs {...props} />
        {project !== null && <span className="min-w-0 max-w-28 truncate text-faint">{project}</span>}
        {machine !== null && (
          <span className="flex min-w-0 max-w-28 items-center gap-1 text-faint">
            <Monitor
              role="img"
              aria-label={t("list.machine_title")}
              size={11}
              strokeWidth={1.75}
              className="shrink-0"
            />
            <span className="truncate">{machine}</span>
          </span>
        )}
        {text !== null && <bdi className="min-w-0 flex-1 truncate">{text}</bdi>}
      </span>
      <Tags {...props} />
      {/* In small rows the buttons for the pointer reach down here. */}
      <span className="flex shrink-0 items-center gap-2 compact:group-hover:invisible compact:touch:group-hover:visible">
        <Measures {...props} />
      </span>
      {/* At the end: who clicks in the middle of a row means the session. */}
      {record.subagent_count > 0 && <Subagents {...props} />}
    </div>
  );
}

/** What is special about the session or its file. */
function Signs({ record, agentName, state }: SessionRowProps) {
  return (
    <>
      {record.is_favorite && isOutcome(state) && <StateIcon state={state} message={record.outcome_message} />}
      {record.owner !== null && <Badge text={record.owner} title={t("list.owner_title", { name: record.owner })} />}
      {agentName !== null && <Badge text={agentName} />}
      {record.source === "vault" && <Badge text={t("list.from_vault")} title={t("list.from_vault_title")} />}
      {record.expires_at !== null && (
        <Badge text={t("list.expiring")} title={t("list.expiring_title", { time: formatMoment(record.expires_at) })} />
      )}
      {record.relation === "fork" && (
        <GitFork role="img" aria-label={t("list.fork")} size={12} strokeWidth={1.75} className="shrink-0 text-faint" />
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
    </>
  );
}

/** Dollars below which a cost says nothing. */
const LEAST_COST = 0.01;
/** Milliseconds below which a session has no length worth saying. */
const LEAST_SPAN = 60_000;

/** Of rows that tell of subagents: what is left out so that the rest is whole. */
const WHERE_WIDE = "@max-[28rem]:hidden";

/** What it has changed, what the list is sorted by, how long it went on, what it cost, and its model where that is not the usual one. */
function Measures({ record, sort, usualModel }: SessionRowProps) {
  const { usage, created_at, modified_at } = record;
  const model = record.models.at(-1);
  const span = Date.parse(modified_at) - Date.parse(created_at);
  const cost = costText(usage);
  const hasMore = record.subagent_count > 0;
  const isCostly = (usage.cost_usd ?? 0) + (usage.estimated_cost_usd ?? 0) >= LEAST_COST;
  return (
    <>
      {record.tool_call_count > 0 && <RowChanges record={record} />}
      {sort === "messages" && <Measure>{t("list.messages_short", { count: record.message_count })}</Measure>}
      {sort === "size" && <Measure>{formatBytes(record.size_bytes)}</Measure>}
      {span >= LEAST_SPAN && <Measure isMinor={hasMore}>{formatSpan(span)}</Measure>}
      {cost !== null && (isCostly || sort === "cost") && <Measure title={costTitle(usage)}>{cost}</Measure>}
      {model !== undefined && model !== usualModel && (
        <span className={classNames("max-w-24 shrink-0 truncate text-faint phone:max-w-16", hasMore && WHERE_WIDE)}>
          {model}
        </span>
      )}
    </>
  );
}

interface MeasureProps {
  title?: string | undefined;
  isMinor?: boolean;
  children: string;
}

function Measure({ title, isMinor = false, children }: MeasureProps) {
  return (
    <span title={title} className={classNames("shrink-0 text-faint tabular-nums", isMinor && WHERE_WIDE)}>
      {children}
    </span>
  );
}

/** How many agents it has started, those of theirs included, and what they cost; shows those below it. */
function Subagents({ record, isUnfolded, onUnfold }: SessionRowProps) {
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
      {text}
      {cost !== null && <span className={WHERE_WIDE}>{` · ${cost}`}</span>}
    </button>
  );
}

function Tags({ record, tags }: SessionRowProps) {
  const attached = record.tag_ids.flatMap((id) => tags.byId.get(id) ?? []);
  return (
    <>
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
    </>
  );
}
