import { activityBoard, type BoardRow } from "@sm/core";
import { useEffect, useState } from "react";
import type { LiveSession } from "../agents/use-live-sessions.ts";
import { useSessions } from "../client/service-context.tsx";
import { useTerminals } from "../client/terminals.ts";

/** How long ago something was is told in minutes. */
const TICK_MS = 30_000;

/** Everything that waits, runs or has just ended, kept up to date by events; only the time goes on by itself. */
export function useBoard(sessions: readonly LiveSession[] | undefined): readonly BoardRow[] {
  const { records } = useSessions();
  const { data: terminals } = useTerminals();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return activityBoard({ sessions: sessions ?? [], terminals: terminals ?? [], records: records.values(), now });
}
