import { t } from "../i18n/text.ts";

/** How far back lists and searches go, as the URL says it. */
export const PERIODS = ["1d", "7d", "30d", "90d", "365d"] as const;

export function isPeriod(text: string): text is (typeof PERIODS)[number] {
  return (PERIODS as readonly string[]).includes(text);
}

/** Says from when on something is shown. */
export function sinceText(time: string): string {
  return isPeriod(time) ? t("list.period_days", { count: Number.parseInt(time, 10) }) : t("list.since", { time });
}
