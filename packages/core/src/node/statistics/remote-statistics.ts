import { LRUCache } from "lru-cache";
import { chunkId, placeOfChunk } from "../catalog/catalog-rows.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { StatisticsReader } from "./statistics-reader.ts";
import type { CountedCorrection, CountedSession, RollupRow, StatisticsSource } from "./statistics-source.ts";
import type { FoundStatistics, StatisticsTask } from "./statistics-tasks.ts";

/** A chunk of a session's activity that is kept elsewhere. */
export interface RemoteChunk {
  key: number;
  place: number;
  entries: number;
}

/** The sessions of one user that are counted. */
export interface RemoteCounted {
  /** In the order of their keys. */
  sessions: CountedSession[];
  subagents: number[];
  /** Keys of sessions by their messages, those with the most first. */
  longestFirst: number[];
}

/**
 * The catalog of sessions that are kept elsewhere, of one user and one moment. Worker threads ask for it, and wait for the
 * answer.
 */
export interface RemoteStatistics {
  /** Another one when anything has changed. */
  statisticsVersion(): Promise<string>;
  countedSessions(): Promise<RemoteCounted>;
  /** In the order of keys and places. */
  activityChunks(): Promise<RemoteChunk[]>;
  /** The rollups of these, or of all, in the same order. */
  activityRollups(
    chunks: Pick<RemoteChunk, "key" | "place">[] | null,
  ): Promise<(RemoteChunk & { rollup: Uint8Array })[]>;
  activityDetails(key: number, place: number): Promise<Uint8Array | null>;
  outlineChunk(key: number, place: number): Promise<Uint8Array | null>;
  usageCorrections(): Promise<CountedCorrection[]>;
  answeredEntries(key: number, first: number, end: number): Promise<number[]>;
}

/** Asks for a catalog; waits for the answer. */
export type AskStatistics = <Name extends keyof RemoteStatistics>(
  name: Name,
  ...input: Parameters<RemoteStatistics[Name]>
) => Awaited<ReturnType<RemoteStatistics[Name]>>;

/** Each has some kilobytes for each session. */
const MOST_READERS = 8;

/** Computes statistics of sessions that are kept elsewhere, for several users. */
export class RemoteStatisticsReader {
  readonly #readers = new LRUCache<string, StatisticsReader>({ max: MOST_READERS });

  /** @param index names whose sessions are asked for. */
  statistics(index: string, task: StatisticsTask, current: CurrentTask, ask: AskStatistics): FoundStatistics {
    const reader = this.#readers.get(index) ?? new StatisticsReader(new RemoteSource(ask));
    this.#readers.set(index, reader);
    return reader.statistics(task, current);
  }
}

class RemoteSource implements StatisticsSource {
  readonly #ask: AskStatistics;
  #counted: RemoteCounted | null = null;
  #version = "";

  constructor(ask: AskStatistics) {
    this.#ask = ask;
  }

  /** All answers of a task are of one moment. */
  reading<T>(read: () => T): T {
    this.#counted = null;
    this.#version = this.#ask("statisticsVersion");
    return read();
  }

  version(): unknown {
    return this.#version;
  }

  generation(): unknown {
    return this.#version;
  }

  sessions(): CountedSession[] {
    return this.#all().sessions;
  }

  subagents(): number[] {
    return this.#all().subagents;
  }

  rollups(): RollupRow[] {
    return this.#ask("activityRollups", null).map(rollupRow);
  }

  chunks() {
    return this.#ask("activityChunks").map(({ key, place, entries }) => ({ id: chunkId(key, place), entries }));
  }

  rollup(id: number): RollupRow | undefined {
    const [row] = this.#ask("activityRollups", [placeOfChunk(id)]);
    return row === undefined ? undefined : rollupRow(row);
  }

  details(id: number): Uint8Array | undefined {
    const { key, place } = placeOfChunk(id);
    return this.#ask("activityDetails", key, place) ?? undefined;
  }

  outline(id: number): Uint8Array | undefined {
    const { key, place } = placeOfChunk(id);
    return this.#ask("outlineChunk", key, place) ?? undefined;
  }

  corrections(): CountedCorrection[] {
    return this.#ask("usageCorrections");
  }

  answered(key: number, first: number, end: number): number[] {
    return this.#ask("answeredEntries", key, first, end);
  }

  *longestFirst() {
    const { sessions, longestFirst } = this.#all();
    const paths = new Map(sessions.map(({ key, path }) => [key, path]));
    for (const key of longestFirst) yield { key, path: paths.get(key) ?? "" };
  }

  /** Machines send sessions only. */
  skipped(): number {
    return 0;
  }

  #all(): RemoteCounted {
    this.#counted ??= this.#ask("countedSessions");
    return this.#counted;
  }
}

function rollupRow({ key, place, entries, rollup }: RemoteChunk & { rollup: Uint8Array }): RollupRow {
  return { id: chunkId(key, place), entries, rollup };
}
