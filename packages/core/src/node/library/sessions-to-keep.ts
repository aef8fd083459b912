import type { OpenIndex } from "../indexing/open-index.ts";
import type { SessionsOfIndex } from "../keeping/session-vault.ts";
import { filesInParts } from "./files-in-parts.ts";

export interface SessionsToKeepOptions {
  index: () => Pick<OpenIndex, "list" | "problem" | "sessionCounts" | "forget">;
  /** Compares the directories anew. */
  compare(): Promise<unknown>;
}

/** What a vault asks of the library: it keeps what the index knows. */
export function sessionsToKeep({ index, compare }: SessionsToKeepOptions): SessionsOfIndex {
  return {
    withFiles: (paths) => index().list((listing) => listing.files.some(paths)),
    allWithFiles: (most) => filesInParts((after) => index().list((listing) => listing.files.after(after, most))),
    // An index that cannot be written would keep the vault waiting forever.
    isIndexing: () => index().problem === null && index().sessionCounts().unindexed > 0,
    gone: async () => void (await compare()),
    forget: (paths) => index().forget(paths),
  };
}
