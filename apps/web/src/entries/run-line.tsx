import { toolArguments } from "@sm/core/rendering";
import { ChevronRight, Files } from "lucide-react";
import { formatDuration } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { useIsAnyOpen } from "./disclosures.ts";
import { timeBetween } from "./durations.ts";
import { useEntryContext } from "./entry-context.ts";
import { type Looking, lookingOf, type ReadingRun } from "./reading-run.ts";

const TEXTS = {
  read: "transcript.run_read",
  search: "transcript.run_searched",
  list: "transcript.run_listed",
} as const;

/** The line that stands for a run of calls, and opens it. */
export function RunLine({ run }: { run: ReadingRun }) {
  const { disclosures } = useEntryContext();
  const isOpen = useIsAnyOpen(disclosures, "runs", run.ids);
  const duration = timeBetween(run.startedAt, run.endedAt);
  return (
    <div className="call run" data-open={isOpen || undefined} data-disclosure="runs">
      <button
        type="button"
        className="summary"
        aria-expanded={isOpen}
        onClick={() => disclosures.setEach("runs", run.ids, !isOpen)}
      >
        <ChevronRight aria-hidden className="chevron" />
        <Files aria-hidden className="call-icon" strokeWidth={1.75} />
        <span className="run-text">{runText(run)}</span>
        {duration !== null && (
          <span className="call-marks">
            <span title={t("transcript.duration_title")}>{formatDuration(duration)}</span>
          </span>
        )}
      </button>
    </div>
  );
}

/** `Read 4 files · Searched 3 times`: a file that was read in pieces is one. */
function runText({ calls }: ReadingRun): string {
  const seen: Record<Looking, Set<unknown>> = { read: new Set(), search: new Set(), list: new Set() };
  for (const call of calls) {
    const kind = lookingOf(call.name);
    if (kind === null) continue;
    seen[kind].add(kind === "search" ? call : (toolArguments(call.arguments).path ?? call));
  }
  const kinds = (Object.keys(seen) as Looking[]).filter((kind) => seen[kind].size > 0);
  return kinds.map((kind) => t(TEXTS[kind], { count: seen[kind].size })).join(" · ");
}
