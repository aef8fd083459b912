import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { commandQuery } from "./commands.ts";
import { useService } from "./service-context.tsx";

/** Entries of a session that the user has bookmarked. */
export type Bookmarks = ReadonlySet<string>;

const NONE: Bookmarks = new Set();

/** The user's bookmarks in a session, without the labels of its agent; none until they are loaded. */
export function useBookmarks(path: string | null): Bookmarks {
  const query = commandQuery(useService(), "list_bookmarks", { path: path ?? "" });
  const { data } = useQuery({ ...query, enabled: path !== null });
  return useMemo(() => {
    const own = (data ?? []).filter(({ created_at }) => created_at !== null);
    return own.length === 0 ? NONE : new Set(own.map(({ entry_id }) => entry_id));
  }, [data]);
}
