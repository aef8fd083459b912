import type { NewChunk } from "../search/new-segment.ts";
import type { RemoteTexts } from "../search/remote-texts.ts";
import type { RemoteStatistics } from "../statistics/remote-statistics.ts";
import type { RemoteSessions } from "./remote-sessions.ts";

/** Takes what a thread writes. */
export interface RemoteTextStore {
  /** Chunks of the segment that is written. */
  storeChunks(chunks: NewChunk[]): Promise<void>;
}

/** All that worker threads may ask for; each task is answered from a source that has what it asks for. */
export type RemoteSource = RemoteSessions & RemoteTexts & RemoteTextStore & RemoteStatistics;
