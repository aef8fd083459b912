import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { commandQuery } from "./commands.ts";
import { useService } from "./service-context.tsx";

/** The user's notes of a session by entry; that of the session itself by `null`. */
export type Notes = ReadonlyMap<string | null, string>;

const NONE: Notes = new Map();

/** The notes of a session; none until they are loaded, nor without a file. */
export function useNotes(path: string | null): Notes {
  const query = commandQuery(useService(), "list_notes", { path: path ?? "" });
  const { data } = useQuery({ ...query, enabled: path !== null });
  return useMemo(
    () =>
      data === undefined || data.length === 0 ? NONE : new Map(data.map(({ entry_id, text }) => [entry_id, text])),
    [data],
  );
}
