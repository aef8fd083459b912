import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { type RawSearch, textIn } from "../url/search-params.ts";
import { commandQuery } from "./commands.ts";
import { useService } from "./service-context.tsx";

/** The session that is open, by its own address or by that of its agent; `null`: none is that has a file. */
export function useOpenSession(): { path: string; leafId: string | undefined } | null {
  const address = useRouterState({
    select: ({ location: { pathname, search } }) => JSON.stringify({ pathname, search }),
  });
  const { pathname, search }: { pathname: string; search: RawSearch } = JSON.parse(address);
  const { data: agents } = useQuery({ ...commandQuery(useService(), "get_coding_live_sessions"), enabled: false });
  const id = pathname === "/live" ? textIn(search, "session") : undefined;
  const path =
    pathname === "/session"
      ? textIn(search, "path")
      : agents?.find(({ session_id }) => session_id === id)?.session_path;
  return path == null ? null : { path, leafId: textIn(search, "leaf") };
}
