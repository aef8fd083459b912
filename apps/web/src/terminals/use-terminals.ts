import { CommandError } from "@sm/router/client";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { commandKey, commandQuery } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import type { ListedTerminal } from "./terminal-session.ts";

const KEY = commandKey("list_terminals", {});

/** The terminals of the service, the oldest first. */
export function useTerminals(): UseQueryResult<ListedTerminal[]> {
  return useQuery({
    ...commandQuery(useService(), "list_terminals"),
    // Other clients open and close terminals too, without events.
    refetchOnMount: "always",
    refetchOnWindowFocus: "always",
    retry: (failures, error) => failures < 2 && !(error instanceof CommandError),
  });
}

/** Changes the list before it is loaded again. */
export function useTerminalsUpdate(): (change: (terminals: ListedTerminal[]) => ListedTerminal[]) => void {
  const queries = useQueryClient();
  return (change) => {
    queries.setQueryData<ListedTerminal[]>(KEY, (terminals) => change(terminals ?? []));
    void queries.invalidateQueries({ queryKey: KEY });
  };
}
