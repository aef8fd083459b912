import { t } from "../i18n/text.ts";

/** Numbers of added and removed lines. */
export function LineSums({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="shrink-0 whitespace-nowrap text-xs tabular-nums">
      <span className="sr-only">{t("changes.sums", { added, removed })}</span>
      <span aria-hidden>
        <span className="text-added">+{added}</span> <span className="text-removed">−{removed}</span>
      </span>
    </span>
  );
}
