import type { CommandOutput } from "@sm/router/client";

type Bookmark = CommandOutput<"list_bookmarks">[number];

export interface BookmarkedSession {
  path: string;
  count: number;
  newest: Bookmark;
}

/** The sessions of bookmarks, which are in order of time, the newest first. */
export function bookmarkedSessions(bookmarks: readonly Bookmark[]): BookmarkedSession[] {
  const sessions = new Map<string, BookmarkedSession>();
  for (const bookmark of bookmarks) {
    const session = sessions.get(bookmark.path);
    if (session === undefined) sessions.set(bookmark.path, { path: bookmark.path, count: 1, newest: bookmark });
    else session.count += 1;
  }
  return [...sessions.values()];
}
