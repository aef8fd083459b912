import type { SessionRecord } from "@sm/router/client";
import { useChangeSums } from "../client/use-change-sums.ts";
import { LineSums } from "../design/line-sums.tsx";
import { t } from "../i18n/text.ts";

/** How much a session has changed; in how many files, where there is room for it. */
export function RowChanges({ record }: { record: SessionRecord }) {
  const sums = useChangeSums(record);
  if (sums === null || sums.files === 0) return null;
  const files = t("changes.files", { count: sums.files });
  return (
    <span title={sums.complete ? files : `${files} · ${t("changes.incomplete")}`} className="shrink-0 text-faint">
      <LineSums {...sums} />
      <span className="@md:not-sr-only sr-only"> · {files}</span>
    </span>
  );
}
