import { BOARD_GROUPS, type BoardGroup, type BoardRow, outcomeOf } from "@sm/core";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useId } from "react";
import { useSession } from "../client/service-context.tsx";
import { Badge } from "../design/badge.tsx";
import { classNames } from "../design/class-names.ts";
import { costText } from "../i18n/cost.ts";
import { formatMoment, formatRelative } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { useProjectName } from "../projects/use-project-name.ts";
import { targetOf, useBoardTitles } from "./board-row.ts";
import { detailOf, programOf } from "./board-text.ts";

interface LiveBoardProps {
  rows: readonly BoardRow[];
  /** It is a part of a screen, which has its own margins. */
  isPart?: boolean;
}

/** Everything that waits for the user, runs, or has just ended, in groups. The arrow keys go from row to row. */
export function LiveBoard({ rows, isPart = false }: LiveBoardProps) {
  const projectOf = useProjectName();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it moves between the links in it
    <div
      onKeyDown={onRowKey}
      className={classNames("flex flex-col gap-6", !isPart && "mx-auto max-w-260 px-4 pt-1 pb-10 phone:px-2")}
    >
      {BOARD_GROUPS.map((group) => (
        <Group key={group} group={group} rows={rows.filter((row) => row.group === group)} projectOf={projectOf} />
      ))}
    </div>
  );
}

function onRowKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: links.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  links[Math.max(0, to)]?.focus();
}

interface NamesProjects {
  projectOf(cwd: string): string;
}

interface GroupProps extends NamesProjects {
  group: BoardGroup;
  rows: readonly BoardRow[];
}

function Group({ group, rows, projectOf }: GroupProps) {
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="flex h-8 items-center gap-2 px-3 text-muted text-sm">
        {t(`live.group_${group}`)}
        <span className="text-faint text-xs tabular-nums">{rows.length}</span>
      </h2>
      <ul className="flex flex-col gap-0.5">
        {rows.map((row) => (
          <li key={`${row.type} ${row.id}`}>
            <Row row={row} projectOf={projectOf} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const ROW =
  "flex min-h-13 items-start gap-3 rounded-md px-3 py-2 hover:bg-hover focus-visible:bg-selected touch:min-h-14";

function Row({ row, projectOf }: { row: BoardRow } & NamesProjects) {
  const { cwd, model, path } = sourceOf(row);
  const titleOf = useBoardTitles(projectOf);
  const record = useSession(path);
  const cost = record === null ? null : costText(record.usage);
  const project = cwd === null ? null : projectOf(cwd);
  const title = titleOf(row);
  const facts = [project === title ? null : project, model?.replace(/^[^/]*\//, "") ?? null, cost];
  const { state, text } = detailOf(row);
  return (
    <Link {...targetOf(row)} data-row className={ROW}>
      <Mark row={row} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2">
          <bdi className="min-w-0 truncate text-sm">{title}</bdi>
          <Badge text={programOf(row)} />
          {row.type === "terminal" && <Badge text={t("live.terminal")} />}
          <time
            dateTime={row.since}
            title={formatMoment(row.since)}
            className="ml-auto shrink-0 text-faint text-xs tabular-nums"
          >
            {formatRelative(row.since)}
          </time>
        </span>
        <span className="mt-0.5 flex min-w-0 items-center gap-x-3 text-xs phone:flex-wrap">
          <span className="flex min-w-0 flex-1 items-center gap-2 phone:basis-full">
            <span className={classNames("shrink-0", stateClass(row))}>{state}</span>
            {text !== null && <bdi className="min-w-0 truncate text-muted">{text}</bdi>}
          </span>
          <span className="flex min-w-0 items-center gap-2 text-faint">
            {facts
              .filter((fact) => fact !== null)
              .map((fact) => (
                <span key={fact} className="min-w-0 truncate" title={fact === project ? (cwd ?? undefined) : undefined}>
                  {fact}
                </span>
              ))}
          </span>
        </span>
      </span>
    </Link>
  );
}

/** What a row is about. */
function sourceOf(row: BoardRow): { cwd: string | null; model: string | null; path: string | null } {
  switch (row.type) {
    case "session":
      return { cwd: row.session.cwd, model: row.session.model, path: row.session.session_path };
    case "terminal":
      return { cwd: row.terminal.cwd, model: null, path: null };
    case "written":
      return { cwd: row.record.cwd, model: row.record.models.at(-1) ?? null, path: row.record.path };
  }
}

/** Shows the group and the result by a colour; the words beside it say the same. */
function Mark({ row }: { row: BoardRow }) {
  return (
    <span
      aria-hidden
      className={classNames(
        "mt-1.5 size-2 shrink-0 rounded-full",
        row.group === "waiting" && "bg-warning",
        row.group === "running" && "bg-live",
        isWorking(row) && "animate-[breathe_2s_infinite]",
        row.group === "ended" && (isBad(row) ? "bg-danger" : "ring-1 ring-faint ring-inset"),
      )}
    />
  );
}

function isWorking(row: BoardRow): boolean {
  if (row.group !== "running") return false;
  return row.type === "terminal" || (row.type === "session" && row.session.state === "streaming");
}

function stateClass(row: BoardRow): string {
  if (row.group === "waiting") return "text-warning";
  if (row.group === "ended") return isBad(row) ? "text-danger" : "text-faint";
  return isWorking(row) ? "text-live" : "text-faint";
}

/** Whether it has not ended as it should. */
function isBad(row: BoardRow): boolean {
  const outcome = outcomeOf(row);
  if (outcome === null) return false;
  const { result, exit_code } = outcome;
  return result === "failed" || result === "lost" || (result === "exited" && exit_code !== null && exit_code !== 0);
}
