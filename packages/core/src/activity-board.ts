import type { LiveOutcome, LiveSession } from "./live-sessions.ts";
import type { SessionRecord } from "./session/record.ts";
import type { ListedTerminal } from "./terminals.ts";

/** What waits for its user comes first. */
export const BOARD_GROUPS = ["waiting", "running", "ended"] as const;

export type BoardGroup = (typeof BOARD_GROUPS)[number];

/**
 * A row of the board: a live session, a terminal whose program reports its status or has exited, or a session of an
 * agent that the service cannot ask, which was written a moment ago.
 */
export type BoardRow = { group: BoardGroup; id: string; since: string } & (
  | { type: "session"; session: LiveSession }
  | { type: "terminal"; terminal: ListedTerminal }
  | { type: "written"; record: WrittenSession }
);

/** The properties of a record that the board needs. */
export type WrittenSession = Pick<
  SessionRecord,
  "path" | "id" | "format" | "capabilities" | "title" | "cwd" | "modified_at" | "models" | "usage"
>;

export interface BoardSources {
  sessions: readonly LiveSession[];
  terminals: readonly ListedTerminal[];
  /** Any; those that were not written just now are left out. */
  records: Iterable<WrittenSession>;
  now: Date;
}

/** How long the end of something is news, in milliseconds. */
const ENDED_MS = 24 * 3_600_000;
/** How long an agent may think between two writes, in milliseconds. */
const WRITTEN_MS = 10 * 60_000;

/**
 * Arranges everything that waits, runs, or has ended within the last day. What has waited longest comes first; of the
 * others, what is newest. An agent in a terminal is there once: as the session if it can be controlled, otherwise as the
 * terminal.
 */
export function activityBoard({ sessions, terminals, records, now }: BoardSources): BoardRow[] {
  const endedAfter = new Date(now.getTime() - ENDED_MS).toISOString();
  const writtenAfter = new Date(now.getTime() - WRITTEN_MS).toISOString();
  const controlled = new Set(sessions.filter(({ controllable }) => controllable).map(({ pid }) => pid));
  const reporting = new Set(terminals.map(({ status }) => status?.process_group));
  const rows = [
    ...sessions
      .filter(({ controllable, pid }) => controllable || !reporting.has(pid))
      .map((session) => sessionRow(session, endedAfter)),
    ...terminals.filter(({ status }) => !controlled.has(status?.process_group ?? 0)).map(terminalRow),
    ...[...records].map((record) => writtenRow(record, writtenAfter)),
  ].filter((row) => row !== null && (row.group !== "ended" || row.since >= endedAfter));
  return (rows as BoardRow[]).sort(
    (a, b) =>
      BOARD_GROUPS.indexOf(a.group) - BOARD_GROUPS.indexOf(b.group) ||
      (a.group === "waiting" ? 1 : -1) * (a.since < b.since ? -1 : 1),
  );
}

function sessionRow(session: LiveSession, endedAfter: string): BoardRow {
  const { session_id: id, state, started_at, last_event_at, question, activity, outcome } = session;
  const row = (group: BoardGroup, since: string): BoardRow => ({ group, id, since, type: "session", session });
  if (state === "waiting") return row("waiting", question?.asked_at ?? last_event_at);
  if (state === "exited") return row("ended", outcome?.ended_at ?? last_event_at);
  if (state === "streaming") return row("running", activity?.started_at ?? started_at);
  // An agent that was done long ago only stands ready.
  return outcome !== null && outcome.ended_at >= endedAfter
    ? row("ended", outcome.ended_at)
    : row("running", started_at);
}

function terminalRow(terminal: ListedTerminal): BoardRow | null {
  const { id, status, exit, ended_at, started_at } = terminal;
  const row = (group: BoardGroup, since: string): BoardRow => ({ group, id, since, type: "terminal", terminal });
  if (exit !== null) return row("ended", ended_at ?? started_at);
  switch (status?.state) {
    case "blocked":
      return row("waiting", status.since);
    case "working":
      return row("running", status.since);
    case "done":
    case "error":
      return row("ended", status.since);
    default:
      return null;
  }
}

function writtenRow(record: WrittenSession, writtenAfter: string): BoardRow | null {
  const { path, capabilities, modified_at } = record;
  if (capabilities.start || modified_at < writtenAfter) return null;
  return { group: "running", id: path, since: modified_at, type: "written", record };
}

/** How a session or a terminal has ended; `null` if it has not. */
export function outcomeOf(row: BoardRow): Pick<LiveOutcome, "result" | "error" | "exit_code"> | null {
  if (row.group !== "ended") return null;
  if (row.type === "session") return row.session.outcome ?? { result: "exited", error: null, exit_code: null };
  if (row.type === "written") return null;
  const { exit, status } = row.terminal;
  if (exit !== null) return { result: "exited", error: exit.signal, exit_code: exit.exit_code };
  const isFailed = status?.state === "error";
  return { result: isFailed ? "failed" : "finished", error: isFailed ? status.message : null, exit_code: null };
}
