import type * as v from "valibot";
import { statisticsInput } from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SessionStatistics } from "../../statistics.ts";
import { ownTimeZone } from "../../stats/time-zone.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { Comparison } from "./comparison.ts";
import { statisticsTask } from "./statistics-task.ts";

/** No path contains it. */
const NO_PROJECT = "\0";

export interface LibraryStatisticsOptions {
  index: Pick<OpenIndex, "quickly" | "list" | "prices">;
  comparison: Pick<Comparison, "misnamedFiles">;
  withMarks(records: SessionRecord[]): Promise<SessionRecord[]>;
}

/** Statistics of all sessions, with the records of the longest ones. */
export async function libraryStatistics(
  { index, comparison, withMarks }: LibraryStatisticsOptions,
  options: v.InferInput<typeof statisticsInput>,
  requester?: Requester,
): Promise<SessionStatistics> {
  const { owner, ...given } = validate(statisticsInput, options);
  // Owners have names on hubs only.
  const ofNobody = owner !== undefined && { project: NO_PROJECT };
  const task = statisticsTask({ ...given, ...ofNobody }, ownTimeZone(), index.prices);
  const { longest, ...sums } = await index.quickly("statistics", task, requester);
  const records = await index.list((listing) => listing.some(longest));
  const byPath = new Map((await withMarks(records)).map((record) => [record.path, record]));
  const skipped_files = sums.skipped_files + comparison.misnamedFiles;
  return { ...sums, skipped_files, longest_sessions: longest.flatMap((path) => byPath.get(path) ?? []) };
}
