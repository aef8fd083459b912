import { t } from "../i18n/text.ts";
import type { Bucket } from "./buckets.ts";
import { type DataTable, usageCells, usageColumns } from "./data-table.tsx";
import type { Layer } from "./layers.ts";
import type { ActivitySum } from "./measure.ts";
import { rangeOfDays } from "./range.ts";
import { sessionsLink } from "./sessions-link.ts";
import type { Stack, Subject } from "./statistics-search.ts";

/** What each of the stacks is of. */
export const STACK_TEXTS = {
  project: "statistics.projects",
  model: "statistics.models",
  agent: "statistics.agents",
} as const;

const NAMES = { project: "statistics.project", model: "statistics.model", agent: "statistics.agent" } as const;

/** What is behind the chart of days, the newest first; with what is left out of the chart. */
export function daysTable(
  buckets: readonly Bucket[],
  layers: readonly Layer[],
  { stack, subject }: { stack: Stack | undefined; subject: Subject },
): DataTable {
  const rows = buckets.flatMap((bucket, place) => {
    const linkOf = (more: object) =>
      sessionsLink({ ...subject, range: rangeOfDays(bucket.first, bucket.last), ...more });
    if (stack === undefined) {
      return isNothing(bucket) ? [] : [{ cells: [bucket.first, bucket.last, ...usageCells(bucket)], link: linkOf({}) }];
    }
    return layers.flatMap(({ name, title, of, sums }) => {
      const sum = sums?.[place];
      if (sum === undefined || isNothing(sum)) return [];
      return {
        cells: [bucket.first, bucket.last, title ?? name, ...usageCells(sum)],
        link: typeof of === "string" ? linkOf({ [stack]: of }) : null,
      };
    });
  });
  return {
    columns: [
      { title: t("statistics.from_day"), kind: "text" },
      { title: t("statistics.to_day"), kind: "text" },
      ...(stack === undefined ? [] : [{ title: t(NAMES[stack]), kind: "text" as const }]),
      ...usageColumns(),
    ],
    rows: rows.reverse(),
  };
}

function isNothing({ messages, usage }: ActivitySum): boolean {
  return messages === 0 && usage.total_tokens === 0 && (usage.cost_usd ?? 0) === 0;
}
