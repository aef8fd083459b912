import type { SessionRecord } from "@sm/router/client";
import { useAgents } from "../../client/agents.ts";
import { useTags } from "../../client/tags.ts";
import { Badge } from "../../design/badge.tsx";
import { Chip, LiveDot, TagDot } from "../../design/chip.tsx";
import { usageTitle } from "../../entries/usage-text.tsx";
import { costText, costTitle } from "../../i18n/cost.ts";
import { formatCompact, formatMoment, formatWhen } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";

/** Models that are named; of more, how many there are. */
const NAMED_MODELS = 2;

/** What there is to know of a session at a glance. */
export function SessionFacts({ record }: { record: SessionRecord }) {
  const { usage, models } = record;
  const { byId } = useTags();
  const agent = useAgents().find(({ format }) => format === record.format);
  const cost = costText(usage);
  const below = record.subagent_usage;
  const costBelow = below === null ? null : costText(below);
  const tags = record.tag_ids.flatMap((id) => byId.get(id) ?? []);
  return (
    <div className="session-facts">
      {record.is_live && <LiveDot text={t("transcript.live")} />}
      {agent !== undefined && <Badge text={agent.name} />}
      {record.cwd !== null && (
        <span className="cwd" title={record.cwd}>
          {/* The end of a path says more than its beginning. */}
          <bdi>{record.cwd}</bdi>
        </span>
      )}
      {models.length > 0 && (
        <span title={models.join("\n")} className="max-w-60 truncate">
          {models.slice(0, NAMED_MODELS).join(", ")}
          {models.length > NAMED_MODELS && ` +${models.length - NAMED_MODELS}`}
        </span>
      )}
      <span>{t("transcript.messages", { count: record.message_count })}</span>
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
