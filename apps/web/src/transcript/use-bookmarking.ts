import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type Bookmarks, useBookmarks } from "../client/bookmarks.ts";
import { commandKey } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";
import { toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { offerUndo } from "../sessions/undo.ts";

export interface Bookmarking {
  /** The user's own. */
  bookmarks: Bookmarks;
  /** Sets the user's bookmark on an entry, or removes it. */
  toggle(entryId: string): void;
}

/** The bookmarks of a session and what changes them. */
export function useBookmarking(path: string | null): Bookmarking {
  const service = useService();
  const queries = useQueryClient();
  const bookmarks = useBookmarks(path);
  const toggle = useCallback(
    async (entryId: string) => {
      if (path === null) return;
      const write = async (bookmarked: boolean): Promise<boolean> => {
        try {
          await service.call("set_bookmark", { path, entry_id: entryId, bookmarked });
          await queries.invalidateQueries({ queryKey: commandKey("list_bookmarks", { path }) });
          return true;
        } catch (error) {
          toastError(t("transcript.bookmark_failed"), error);
          return false;
        }
      };
      const wasSet = bookmarks.has(entryId);
      if (!(await write(!wasSet))) return;
      const text = t(wasSet ? "transcript.bookmark_removed" : "transcript.bookmark_added");
      offerUndo({ text, undo: () => void write(wasSet) });
    },
    [service, queries, path, bookmarks],
  );
  return useMemo(() => ({ bookmarks, toggle: (entryId) => void toggle(entryId) }), [bookmarks, toggle]);
}

/** What marks entries: the labels of the agent, and for those that only the user has bookmarked an empty text. */
export function withBookmarks(
  labels: Readonly<Record<string, string>>,
  bookmarks: Bookmarks,
): Readonly<Record<string, string>> {
  if (bookmarks.size === 0) return labels;
  return { ...Object.fromEntries([...bookmarks].map((entryId) => [entryId, ""])), ...labels };
}
