import { useRouterState } from "@tanstack/react-router";
import { readTranscriptSearch } from "../transcript/transcript-search.ts";
import { useIsAlone } from "../transcript/use-is-alone.ts";

/** Tells whether the session that is open needs the room of the list and of the navigation. */
export function useSessionAlone(): boolean {
  const open = useRouterState({
    select: ({ location: { pathname, search } }) => {
      if (pathname !== "/session" && pathname !== "/live") return "";
      const { panel = "", compare = "" } = readTranscriptSearch(search as never);
      return `${panel} ${compare}`;
    },
  });
  const [panel, compare] = open.split(" ");
  return useIsAlone({
    ...(panel !== undefined && panel !== "" && { panel: panel as "tree" }),
    ...(compare !== undefined && compare !== "" && { compare }),
  });
}
