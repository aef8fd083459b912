import { classNames } from "../../design/class-names.ts";
import { formatCompact, formatPercent } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";

/** Percent from which on there is little room left. */
const NEARLY_FULL = 80;

interface ContextGaugeProps {
  tokens: number | null;
  /** Tokens that the model can look at; `null` if unknown. */
  size: number | null;
}

/** How much of what its model can look at a session takes. */
export function ContextGauge({ tokens, size }: ContextGaugeProps) {
  if (tokens === null) return null;
  const used = formatCompact(tokens);
  if (size === null || size <= 0) return <span>{t("transcript.context", { tokens: used })}</span>;
  const percent = Math.min(100, (tokens / size) * 100);
  const text = t("transcript.context_of", { tokens: used, size: formatCompact(size), percent: formatPercent(percent) });
  return (
    <span
      role="meter"
      aria-label={t("transcript.context_label")}
      aria-valuemin={0}
      aria-valuemax={size}
      aria-valuenow={Math.min(tokens, size)}
      aria-valuetext={text}
      title={text}
      className="inline-flex items-center gap-1.5"
    >
      <span aria-hidden className="h-1.5 w-12 overflow-hidden rounded-full bg-press">
        <span
          className={classNames("block h-full rounded-full", percent < NEARLY_FULL ? "bg-accent" : "bg-warning")}
          style={{ width: `${percent}%` }}
        />
      </span>
      {t("transcript.context_percent", { percent: formatPercent(percent) })}
    </span>
  );
}
