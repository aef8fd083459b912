import type { SessionFormatName } from "../../session/record.ts";
import type { UsageNumbers } from "../catalog/attribution.ts";

/** What statistics know of a session. */
export interface CountedSession {
  key: number;
  project: string | null;
  format: SessionFormatName;
  /** Milliseconds since 1970. */
  createdAt: number;
  path: string;
}

/** A chunk of a session's activity, by its `chunkId`; `entries` grows with whatever is added to it. */
export interface CountedChunk {
  id: number;
  entries: number;
}

export interface RollupRow extends CountedChunk {
  rollup: Uint8Array;
}

/** By how much the usage of an entry counts more or less than its file says. */
export interface CountedCorrection extends UsageNumbers {
  key: number;
  ordinal: number;
}

/** The catalog that is counted, of one user. */
export interface StatisticsSource {
  /** Runs `read` on one state of the catalog. */
  reading<T>(read: () => T): T;
  /** Another value when anything has changed. */
  version(): unknown;
  /** Another value when sessions have come, gone or moved. */
  generation(): unknown;
  /** In the order of their keys. */
  sessions(): CountedSession[];
  /** Keys of sessions that others have started. */
  subagents(): number[];
  /** All chunks, in the order of their ids. @throws IndexError where one is damaged. */
  rollups(): Iterable<RollupRow>;
  /** The same without what is in them. */
  chunks(): Iterable<CountedChunk>;
  rollup(id: number): RollupRow | undefined;
  /** The messages of a chunk; `undefined` where it is damaged. */
  details(id: number): Uint8Array | undefined;
  /** A chunk of an outline; `undefined` where it is damaged. */
  outline(id: number): Uint8Array | undefined;
  corrections(): Iterable<CountedCorrection>;
  /** Ordinals of a session's entries with answers, from `first` on and before `end`. */
  answered(key: number, first: number, end: number): number[];
  /** Sessions by their messages, those with the most first. */
  longestFirst(): Iterable<Pick<CountedSession, "key" | "path">>;
  /** Number of files in which no line is of a known format. */
  skipped(): number;
}
