import type { BoardRow } from "@sm/core";
import { useLiveTitles } from "../agents/live-titles.ts";
import { useSessions } from "../client/service-context.tsx";
import { sessionTitle } from "../projects/session-title.ts";
import { terminalTitle } from "./board-text.ts";

/** Where a row leads. */
export function targetOf(row: BoardRow) {
  switch (row.type) {
    case "session":
      return { to: "/live", search: { session: row.id } } as const;
    case "terminal":
      return { to: "/terminals", search: { id: row.id } } as const;
    case "written":
      return { to: "/session", search: { path: row.id } } as const;
  }
}

/** Names rows as the list of sessions does; terminals by what their programs do, else by their folders. */
export function useBoardTitles(projectOf: (cwd: string) => string): (row: BoardRow) => string | null {
  const { records } = useSessions();
  const liveTitleOf = useLiveTitles();
  return (row) => {
    if (row.type === "session") return liveTitleOf(row.session);
    if (row.type === "terminal") return terminalTitle(row.terminal) ?? projectOf(row.terminal.cwd);
    const record = records.get(row.record.path);
    return record === undefined ? row.record.title : sessionTitle(record);
  };
}
