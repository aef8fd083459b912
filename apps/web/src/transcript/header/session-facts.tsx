import type { SessionRecord } from "@sm/router/client";
import type { ReactNode } from "react";
import { useAgents } from "../../client/agents.ts";
import { useTags } from "../../client/tags.ts";
import { useChangeSums } from "../../client/use-change-sums.ts";
import { Badge } from "../../design/badge.tsx";
import { Chip, LiveDot, TagDot } from "../../design/chip.tsx";
import { LineSums } from "../../design/line-sums.tsx";
import { usageTitle } from "../../entries/usage-text.tsx";
import { costText, costTitle } from "../../i18n/cost.ts";
import { formatCompact, formatMinutes, formatMoment, formatPercent, formatWhen } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";

/** Models that are named; of more, how many there are. */
const NAMED_MODELS = 2;

interface SessionFactsProps {
  record: SessionRecord;
  /** What its agent does and with what; `null` where none runs. */
  ofAgent: ReactNode;
}

/** What there is to know of a session at a glance. */
export function SessionFacts({ record, ofAgent }: SessionFactsProps) {
  const { usage, models } = record;
  const { byId } = useTags();
  const agent = useAgents().find(({ format }) => format === record.format);
  const cost = costText(usage);
  const below = record.subagent_usage;
  const costBelow = below === null ? null : costText(below);
  const { rate_limits: limits } = record;
  const tags = record.tag_ids.flatMap((id) => byId.get(id) ?? []);
  return (
    <div className="session-facts" data-attached={ofAgent !== null || undefined}>
      {ofAgent ?? (record.is_live && <LiveDot text={t("transcript.live")} />)}
      {record.archived_at !== null && <Badge text={t("transcript.archived")} />}
      {record.owner !== null && <Badge text={record.owner} title={t("list.owner_title", { name: record.owner })} />}
      {record.machine !== null && <Badge text={record.machine} title={t("list.machine_title")} />}
      {agent !== undefined && <Badge text={agent.name} />}
      {record.source === "vault" && <Badge text={t("list.from_vault")} title={t("list.from_vault_title")} />}
      {record.expires_at !== null && (
        <Badge text={t("list.expiring")} title={t("list.expiring_title", { time: formatMoment(record.expires_at) })} />
      )}
      {record.cwd !== null && (
        <span className="cwd" title={record.cwd}>
          {/* The end of a path says more than its beginning. */}
          <bdi>{record.cwd}</bdi>
        </span>
      )}
      {models.length > 0 && ofAgent === null && (
        <span title={models.join("\n")} className="max-w-60 truncate">
          {models.slice(0, NAMED_MODELS).join(", ")}
          {models.length > NAMED_MODELS && ` +${models.length - NAMED_MODELS}`}
        </span>
      )}
      <span>{t("transcript.messages", { count: record.message_count })}</span>
      <Changes record={record} />
      {usage.total_tokens > 0 && (
        <span title={usageTitle(usage)}>{t("transcript.tokens", { tokens: formatCompact(usage.total_tokens) })}</span>
      )}
      {cost !== null && <span title={costTitle(usage)}>{cost}</span>}
      {below !== null && (
        <span title={costTitle(below)}>
          {t("list.subagents", { count: record.subagent_count })}
          {costBelow !== null && ` · ${costBelow}`}
        </span>
      )}
      {limits !== null && (
        <span title={limitsTitle(limits, record.modified_at)}>
          {t("transcript.limits", { used: limits.map(({ used_percent }) => formatPercent(used_percent)).join(" · ") })}
        </span>
      )}
      <time dateTime={record.modified_at} title={formatMoment(record.modified_at)}>
        {formatWhen(record.modified_at)}
      </time>
      {tags.map(({ id, name, color }) => (
        <Chip key={id}>
          <TagDot color={color} />
          {name}
        </Chip>
      ))}
    </div>
  );
}

/** What its newest branch has changed. */
function Changes({ record }: { record: SessionRecord }) {
  const sums = useChangeSums(record);
  if (sums === null || sums.files === 0) return null;
  return (
    <span>
      <LineSums {...sums} /> · {t("changes.files", { count: sums.files })}
      {!sums.complete && ` · ${t("changes.incomplete")}`}
    </span>
  );
}

/** They were told with the newest answer. */
function limitsTitle(limits: NonNullable<SessionRecord["rate_limits"]>, toldAt: string): string {
  const lines = limits.map(({ used_percent, window_minutes, resets_at }) => {
    const used = formatPercent(used_percent);
    const limit =
      window_minutes === null ? used : t("transcript.limit", { used, window: formatMinutes(window_minutes) });
    return resets_at === null ? limit : t("transcript.limit_until", { limit, time: formatMoment(resets_at) });
  });
  return [t("transcript.limits_title", { time: formatMoment(toldAt) }), ...lines].join("\n");
}
