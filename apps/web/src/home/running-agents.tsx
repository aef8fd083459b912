import { useQuery } from "@tanstack/react-query";
import { useLiveSessions } from "../agents/use-live-sessions.ts";
import { commandQuery } from "../client/commands.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { LiveBoard } from "../live/live-board.tsx";
import { useBoard } from "../live/use-board.ts";

const MOST = 6;

/** What waits for the user, and what runs. The service is asked only where agents are known to be in use. */
export function RunningAgents() {
  const { records } = useSessions();
  const { data: known } = useQuery({ ...commandQuery(useService(), "get_coding_live_sessions"), enabled: false });
  const isUsed = (known ?? []).length > 0 || [...records.values()].some(({ is_live }) => is_live);
  return isUsed ? <Board /> : null;
}

function Board() {
  const { data: sessions } = useLiveSessions();
  const rows = useBoard(sessions)
    .filter(({ group }) => group !== "ended")
    .slice(0, MOST);
  return rows.length === 0 ? null : <LiveBoard rows={rows} isPart />;
}
