import type { LibraryStatus } from "../../library.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { SessionVault } from "../keeping/session-vault.ts";
import type { UserState } from "../state/ports.ts";
import type { Watching } from "../watch/watched-directories.ts";
import type { Comparison } from "./comparison.ts";

export interface LibraryStatusOptions {
  index: Pick<
    OpenIndex,
    "problem" | "silence" | "sessionCounts" | "pendingRecords" | "isCompared" | "skippedFiles" | "bytes"
  >;
  state: Pick<UserState, "problem">;
  keeping: Pick<SessionVault, "problem">;
  watching: Pick<Watching, "problem"> | null;
  comparison: Pick<Comparison, "problem" | "misnamedFiles">;
}

/** How far indexing is, and the first of the problems of all parts. */
export function libraryStatus({ index, state, keeping, watching, comparison }: LibraryStatusOptions): LibraryStatus {
  const { problem, silence } = index;
  const problems = [problem, silence, state.problem, keeping.problem, watching?.problem, comparison.problem];
  const reason = problems.find((problem) => problem != null) ?? null;
  const { indexed, unindexed } = index.sessionCounts();
  const pending = index.pendingRecords + unindexed;
  const working = pending > 0 ? "indexing" : "ready";
  return {
    state: reason !== null ? "degraded" : index.isCompared ? working : "opening",
    reason,
    sessions: indexed + unindexed,
    pending,
    skipped_files: index.skippedFiles() + comparison.misnamedFiles,
    bytes_done: index.bytes.done,
    bytes_total: index.bytes.total,
  };
}
