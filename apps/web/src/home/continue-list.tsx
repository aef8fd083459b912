import type { SessionRecord } from "@sm/router/client";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { usePreference } from "../browser/preference.ts";
import { useSessions } from "../client/service-context.tsx";
import { formatMoment, formatWhen } from "../i18n/format.ts";
import { proseText } from "../i18n/prose-text.ts";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { lastRead } from "../sessions/last-read.ts";
import { newestOf } from "../sessions/newest.ts";

const SHOWN = 3;

/** The sessions that were read last, then the newest. */
export function ContinueList() {
  const id = useId();
  const { records } = useSessions();
  const projectOf = useProjectName();
  const read = usePreference(lastRead).flatMap((path) => records.get(path) ?? []);
  const shown = [...new Set([...read, ...newestOf(records.values(), SHOWN)])].slice(0, SHOWN);
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="px-3 text-muted text-sm">
        {t("home.continue")}
      </h2>
      <ul className="flex flex-col gap-0.5">
        {shown.map((record) => (
          <li key={record.path}>
            <ContinueLink record={record} projectOf={projectOf} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ContinueLinkProps {
  record: SessionRecord;
  projectOf(cwd: string): string;
}

function ContinueLink({ record, projectOf }: ContinueLinkProps) {
  const { path, cwd, modified_at, last_message } = record;
  return (
    <Link
      to="/session"
      search={(search) => ({ ...search, path }) as never}
      className="flex flex-col gap-0.5 rounded-md px-3 py-2 hover:bg-hover focus-visible:bg-selected"
    >
      <span className="flex min-w-0 items-baseline gap-3">
        <span className="min-w-0 truncate">{sessionTitle(record)}</span>
        <time
          dateTime={modified_at}
          title={formatMoment(modified_at)}
          className="ml-auto shrink-0 text-faint text-xs tabular-nums"
        >
          {formatWhen(modified_at)}
        </time>
      </span>
      <span className="flex min-w-0 gap-2 text-xs">
        {cwd !== null && (
          <span className="max-w-2/5 shrink-0 truncate text-faint" title={cwd}>
            {projectOf(cwd)}
          </span>
        )}
        {last_message !== null && <span className="min-w-0 truncate text-muted">{proseText(last_message)}</span>}
      </span>
    </Link>
  );
}
