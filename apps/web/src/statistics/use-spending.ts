import type { Budget } from "@sm/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { commandQuery } from "../client/commands.ts";
import { useIsHub } from "../client/hub.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import type { Statistics } from "./measure.ts";
import { rangeOfDays, timesOf } from "./range.ts";
import { firstKnownDay } from "./spending.ts";

/** An agent that works changes its session all the time. */
const LEAST_BETWEEN_MS = 60_000;

/** What the user wants to spend at most; `undefined` until it is known, and on a hub, which has no budgets. */
export function useBudget(): Budget | undefined {
  const isHub = useIsHub();
  return useQuery({ ...commandQuery(useService(), "get_budget"), enabled: !isHub }).data;
}

/** What all sessions have used this month and this week; counted anew once a minute while something changes. */
export function useSpending(isWanted: boolean, today: string): UseQueryResult<Statistics> {
  const service = useService();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const spending = useQuery({
    // Not the command's own key: every change of a session makes its answers stale.
    queryKey: ["spending", today, timeZone],
    queryFn: ({ signal }) =>
      service.call(
        "get_session_stats",
        { ...timesOf(rangeOfDays(firstKnownDay(today), null)), time_zone: timeZone },
        { signal },
      ),
    enabled: isWanted,
  });
  const { dataUpdatedAt, refetch } = spending;
  const { records } = useSessions();
  const counted = useRef(records);
  useEffect(() => {
    if (!isWanted || dataUpdatedAt === 0 || counted.current === records) return;
    const timer = setTimeout(
      () => {
        counted.current = records;
        void refetch();
      },
      Math.max(0, dataUpdatedAt + LEAST_BETWEEN_MS - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [isWanted, records, dataUpdatedAt, refetch]);
  return spending;
}
