import { t } from "../i18n/text.ts";
import { HEAT_CLASSES } from "./heat.ts";

/** What the tones of heat mean. */
export function HeatLegend({ hasUnknown = false }: { hasUnknown?: boolean }) {
  return (
    <div aria-hidden className="flex items-center justify-end gap-1 text-faint text-xs">
      {hasUnknown && (
        <>
          <span className="size-3 rounded-[3px] outline-1 outline-line-strong outline-dashed -outline-offset-1" />
          <span className="pr-3 pl-0.5">{t("statistics.cost_unknown")}</span>
        </>
      )}
      <span className="pr-0.5">{t("statistics.less")}</span>
      {HEAT_CLASSES.map((heat) => (
        <span key={heat} className={`size-3 rounded-[3px] ${heat}`} />
      ))}
      <span className="pl-0.5">{t("statistics.more")}</span>
    </div>
  );
}
