// For hubs: how worker threads read sessions that are kept elsewhere, and what a catalog keeps of them.

export { CHUNK_BYTES, COMPONENTS, type SegmentBytes } from "@sm/text-index";
export { PriceList } from "../../prices/price-list.ts";
export { titleOf, titleOfName } from "../../session/session-title.ts";
export { recordOf } from "../../session/summary.ts";
export { addUsage, noUsage } from "../../session/usage.ts";
export { type AnswerRow, attributed, type Correction, type StoredAnswer } from "../catalog/attribution.ts";
export { countedUsage } from "../catalog/counted-usage.ts";
export { decodeSummary, encodeSummary } from "../catalog/stored-session.ts";
export type { ReadTexts, TextsToRead } from "../indexing/remote-text-indexing.ts";
export type { NewChunk, NewSegment } from "../search/new-segment.ts";
export { remoteSegmentsToMerge } from "../search/remote-merging.ts";
export type {
  KnownTexts,
  LinePlace,
  OutlinePlace,
  RemoteSegment,
  RemoteTexts,
  SessionOfTexts,
  TextPlace,
  TextState,
} from "../search/remote-texts.ts";
export type { NamedFilesTask, SearchTask } from "../search/search-tasks.ts";
export { type SharedPaths, sharePaths } from "../search/shared-paths.ts";
export type { RemoteChunk, RemoteCounted, RemoteStatistics } from "../statistics/remote-statistics.ts";
export type { CountedCorrection, CountedSession } from "../statistics/statistics-source.ts";
export { cacheShare } from "../threads/cache-budget.ts";
export { Thread } from "../threads/thread.ts";
export { type RemoteReader, RemoteReaders } from "./remote-readers.ts";
export type {
  BytesAround,
  KnownSession,
  RemoteFile,
  RemoteFiles,
  RemoteSession,
  RemoteSessions,
} from "./remote-sessions.ts";
export type { RemoteTextStore } from "./remote-source.ts";
export type { ReadRemoteSession, RemoteTasks, SessionToTitle } from "./remote-tasks.ts";
