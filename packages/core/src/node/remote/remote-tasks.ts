import type { EntryTitle } from "../../format/format.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { ChangedActivity } from "../../stats/session-activity.ts";
import type { StoredAnswer } from "../catalog/attribution.ts";
import type { Descent } from "../catalog/descent.ts";
import type { ReadTexts, TextsToRead } from "../indexing/remote-text-indexing.ts";
import type { MergedSegments } from "../search/remote-merging.ts";
import type { ReadProgress } from "../session-file/session-file.ts";
import type { RemoteSession } from "./remote-sessions.ts";

/** What a catalog keeps of a session that was read. */
export interface ReadRemoteSession {
  /** As far as it depends on the file. */
  record: SessionRecord;
  descent: Descent;
  /** See `KnownSession.summary`. */
  summary: string;
  progress: ReadProgress;
  entryCount: number;
  /** Entries that were known before; 0 for a session that was read from its start. */
  resumedAt: number;
  /** The chunks that have changed. */
  outline: { place: number; entries: Uint8Array }[];
  activity: ChangedActivity[];
  /** Answers that other sessions may have too, of the entries that were not known. */
  answers: StoredAnswer[];
  /** Titles of other sessions in its folder, each by an entry of that session. */
  otherTitles: EntryTitle[];
  /** Whether others may tell its title. */
  isUntitled: boolean;
}

/** A session, and what others in its folder tell, of several the one that counts last. */
export interface SessionToTitle {
  key: number;
  titles: readonly EntryTitle[];
}

/** A session in a family of which each begins with the same entry. */
export interface FamilyKey {
  key: number;
  path: string;
}

/** What threads do for a catalog that is kept elsewhere. */
export type RemoteTasks = {
  /** Reads what is new of sessions, in their order; `null` for what is no session, or cannot be read. */
  readRemote: {
    input: { sessions: { path: string; session: RemoteSession }[] };
    output: (ReadRemoteSession | null)[];
  };
  /** Reads the texts of sessions in their order, until there are enough for a segment; asks for `RemoteTexts`. */
  readTexts: { input: { sessions: TextsToRead[] }; output: ReadTexts };
  /**
   * Merges segments of the text index that is asked for, see `mergeRemote`; hands chunks over before it is complete (see
   * `RemoteTextStore`).
   */
  mergeTexts: { input: { worn: boolean }; output: MergedSegments };
  /** Finds what is told of sessions: their newest entry with a title decides; those of which nothing is told are left out. */
  toldTitles: { input: { sessions: SessionToTitle[] }; output: { key: number; title: string }[] };
  /** Finds from which session each one of a family was copied; `null` for the first. */
  forkParents: { input: { members: FamilyKey[] }; output: { key: number; parent: number | null }[] };
};
