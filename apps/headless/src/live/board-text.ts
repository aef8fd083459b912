import { activityBoard, agentName, BOARD_GROUPS, type BoardGroup, type BoardRow, outcomeOf } from "@sm/core";
import { localTime, projectName, shortIds } from "../commands/display.ts";
import { type Connection, call } from "../connection/connection.ts";
import type { Shell } from "../shell.ts";
import { type Column, table } from "../terminal/table.ts";

const GROUPS: Record<BoardGroup, string> = { waiting: "Waiting for you", running: "Running", ended: "Ended" };

/** Sessions that were written last, of which other agents' may be running. */
const MAX_RECORDS = 50;

/** Asks the server for everything that waits, runs, or has ended within the last day. */
export async function readBoard(
  sessions: Parameters<typeof activityBoard>[0]["sessions"],
  connection: Connection,
): Promise<BoardRow[]> {
  // Terminals may be turned off or missing, which is no reason to show nothing.
  const terminals = await call(connection, "list_terminals", {}).catch(() => []);
  const { sessions: records } = await call(connection, "list_sessions", { limit: MAX_RECORDS });
  return activityBoard({ sessions, terminals, records, now: new Date() });
}

/** Formats the board as a table for each group. */
export function boardText(rows: readonly BoardRow[], shell: Shell): string {
  const shortId = shortIds(rows.map(idOf));
  return BOARD_GROUPS.flatMap((group) => {
    const own = rows.filter((row) => row.group === group);
    if (own.length === 0) return [];
    const style = { width: shell.width, paintHead: shell.colors.bold };
    return `${shell.colors.bold(GROUPS[group])}\n${table(columns(shortId, shell), own, style)}`;
  }).join("\n");
}

function columns(shortId: (id: string) => string, { colors }: Shell): Column<BoardRow>[] {
  return [
    { head: "ID", cell: (row) => shortId(idOf(row)), paint: colors.yellow },
    { head: "AGENT", cell: programOf },
    { head: "STATE", cell: stateOf, flexible: true },
    { head: "SINCE", cell: ({ since }) => localTime(since) },
    { head: "MODEL", cell: modelOf, optional: true },
    { head: "PROJECT", cell: (row) => projectName(cwdOf(row)), flexible: true, paint: colors.cyan },
    { head: "NAME", cell: nameOf, flexible: true, optional: true },
  ];
}

function idOf(row: BoardRow): string {
  return row.type === "written" ? row.record.id : row.id;
}

function programOf(row: BoardRow): string {
  if (row.type === "session") return agentName("pi");
  if (row.type === "written") return agentName(row.record.format);
  return `${row.terminal.status?.app ?? projectName(row.terminal.shell)} (terminal)`;
}

function modelOf(row: BoardRow): string {
  if (row.type === "session") return row.session.model ?? "";
  return row.type === "written" ? (row.record.models.at(-1) ?? "") : "";
}

function cwdOf(row: BoardRow): string | null {
  if (row.type === "session") return row.session.cwd;
  return row.type === "written" ? row.record.cwd : row.terminal.cwd;
}

function nameOf(row: BoardRow): string {
  if (row.type === "session") return row.session.name ?? "";
  if (row.type === "written") return row.record.title;
  const { status } = row.terminal;
  return status?.title ?? (status?.state === "working" || status?.state === "done" ? status.message : null) ?? "";
}

/** What it waits for, what it does now, or how it has ended. */
function stateOf(row: BoardRow): string {
  switch (row.group) {
    case "waiting":
      return waitingFor(row);
    case "running":
      return running(row);
    case "ended":
      return ending(row);
  }
}

function waitingFor(row: BoardRow): string {
  const status = row.type === "terminal" ? row.terminal.status : null;
  const question = row.type === "session" ? row.session.question : status;
  const text = row.type === "session" ? row.session.question?.title : status?.message;
  const told = [question?.kind, text].filter((part) => part != null && part !== "");
  return told.length === 0 ? "waits" : told.join(": ");
}

function running(row: BoardRow): string {
  if (row.type === "written") return "written";
  if (row.type === "terminal") {
    const progress = row.terminal.status?.progress ?? null;
    return progress === null ? "working" : `working ${progress}%`;
  }
  const { controllable, state, activity } = row.session;
  if (!controllable) return "not ours";
  if (state === "idle" || activity === null) return state === "idle" ? "idle" : "working";
  return `${activity.tool ?? "prompt"}: ${activity.text}`;
}

function ending(row: BoardRow): string {
  const outcome = outcomeOf(row);
  if (outcome === null) return "";
  const { result, error, exit_code } = outcome;
  const how = result === "exited" && exit_code !== null ? `exited (${exit_code})` : result;
  return error === null ? how : `${how}: ${error}`;
}
