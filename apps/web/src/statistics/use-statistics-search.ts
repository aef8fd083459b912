import { useNavigate, useSearch } from "@tanstack/react-router";
import type { StatisticsSearch } from "./statistics-search.ts";

/** What the statistics are of. */
export function useStatisticsSearch(): StatisticsSearch {
  return useSearch({ from: "/statistics" });
}

/** Changes what the statistics are of. The way back leads out of them, not through every choice. */
export function useChangeStatistics(): (
  change: { [Name in keyof StatisticsSearch]?: StatisticsSearch[Name] | undefined },
) => void {
  const navigate = useNavigate({ from: "/statistics" });
  return (change) =>
    void navigate({ search: (search) => ({ ...search, ...change }) as StatisticsSearch, replace: true });
}
