import { CommandError, type CommandOutput } from "@sm/router/client";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { commandKey, commandQuery } from "./commands.ts";
import { reload } from "./reload.ts";
import { useService } from "./service-context.tsx";

export type ListedTerminal = CommandOutput<"list_terminals">[number];

const KEY = commandKey("list_terminals", {});

/** The terminals of the service, the oldest first; kept up to date. */
export function useTerminals(): UseQueryResult<ListedTerminal[]> {
  const service = useService();
  const queries = useQueryClient();
  useEffect(() => {
    const stream = service.events({
      topics: ["live"],
      onEvent({ event }) {
        if (event === "terminal-changed" || event === "events-lost") void reload(queries, KEY);
      },
    });
    return () => stream.close();
  }, [service, queries]);
  return useQuery({
    ...commandQuery(service, "list_terminals"),
    refetchOnMount: "always",
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
