import { IndexError } from "@sm/text-index/storage";
import { NOT_ESTIMATED } from "../../prices/context-size.ts";
import { type PriceList, PriceLists } from "../../prices/price-list.ts";
import { syntheticId } from "../../session/entry-ids.ts";
import { OUTLINE_CHUNK, Outline } from "../../session/outline.ts";
import type { Usage } from "../../session/record.ts";
import { type PlacedActivity, quarterOf } from "../../stats/activity.ts";
import {
  ACTIVITY_CHUNK,
  decodeActivity,
  decodeRollup,
  encodeActivity,
  type Rollup,
} from "../../stats/activity-chunk.ts";
import { StatisticsCollector } from "../../stats/collector.ts";
import { familiesOf } from "../../stats/families.ts";
import { got } from "../../stats/got.ts";
import { type HourlySums, hourlySums, NumberRoom } from "../../stats/hourly-sums.ts";
import { identityOf } from "../../stats/identity.ts";
import { decodeNames, type Names } from "../../stats/model-and-tool-names.ts";
import { activityPlace } from "../../stats/session-activity.ts";
import { TimeZone } from "../../stats/time-zone.ts";
import type { UsageNumbers } from "../catalog/attribution.ts";
import { chunkId, placeOfChunk } from "../catalog/catalog-rows.ts";
import { corrected } from "../catalog/counted-usage.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import type { CountedSession, RollupRow, StatisticsSource } from "./statistics-source.ts";
import type { FoundStatistics, StatisticsTask } from "./statistics-tasks.ts";

const MAX_LONGEST = 10;
/** Unused names are removed above this number. */
const MAX_NAMES = 10_000;
/** Each caches the offsets of some thousand days. */
const MAX_ZONES = 16;
/** Each takes a megabyte, more with thousands of projects. */
const MAX_ANSWERS = 4;
/** Buffer for the numbers of many chunks. */
const ROOM = 2 ** 16;

interface Chunk extends HourlySums {
  id: number;
  entries: number;
  origins: number[];
}

/** What of a chunk counts less or more than its file says, by positions. */
interface ChunkChanges {
  /** Messages that an older session has, too. */
  copies: ReadonlySet<number>;
  /** Usage of answers that other sessions have, too. */
  corrections: ReadonlyMap<number, UsageNumbers>;
}

/** A chunk of which not everything counts. */
interface OwnChunk extends ChunkChanges {
  /** Where it is the same as before, the sums are. */
  signature: string;
  sums: HourlySums;
}

/**
 * Sums the stored statistics of all sessions without opening files. The sums of all chunks stay in memory, about two
 * kilobytes per session, and are compared with the catalog before each use.
 */
export class StatisticsReader {
  readonly #source: StatisticsSource;
  readonly #zones = new Map<string, TimeZone>();
  readonly #lists = new PriceLists();
  #prices = this.#lists.of({});
  #seenVersion: unknown = null;
  #seenGeneration: unknown = null;
  #sessions = new Map<number, CountedSession>();
  /** Keys of sessions that others have started. */
  #subagents: ReadonlySet<number> = new Set();
  /** By encoded bytes: most chunks share their models and tools with others. */
  #names = new Map<string, Names>();
  /** By session in key order; chunks in file order. */
  #chunks = new Map<number, Chunk[]>();
  /** By family of related sessions: the copies by chunk. */
  #families = new Map<string, Map<number, Set<number>>>();
  #own = new Map<number, OwnChunk>();
  /** By query, until the next change: pages repeat queries whenever they are opened. */
  readonly #answers = new Map<string, FoundStatistics>();

  constructor(source: StatisticsSource) {
    this.#source = source;
  }

  /** Computes statistics from a snapshot of the catalog. */
  statistics(task: StatisticsTask, current: Pick<CurrentTask, "check">): FoundStatistics {
    try {
      return this.#source.reading(() => this.#answer(task, current));
    } catch (error) {
      // Only decoding throws this error.
      if (!(error instanceof RangeError)) throw error;
      throw new IndexError("damaged", `The index contains invalid statistics: ${error.message}`, error);
    }
  }

  #answer(task: StatisticsTask, current: Pick<CurrentTask, "check">): FoundStatistics {
    this.#estimateBy(this.#lists.of(task.prices));
    this.#refresh();
    // In all time zones, days start at a quarter of an hour.
    const question = JSON.stringify({ ...task, now: quarterOf(task.now) });
    let answer = this.#answers.get(question);
    if (answer === undefined) {
      if (this.#answers.size === MAX_ANSWERS) this.#answers.clear();
      answer = this.#collect(task, current);
      this.#answers.set(question, answer);
    }
    return answer;
  }

  /** All sums have estimated costs, too. */
  #estimateBy(prices: PriceList): void {
    if (prices === this.#prices) return;
    this.#prices = prices;
    this.#chunks = new Map();
    this.#own = new Map();
    this.#seenVersion = null;
  }

  #collect(
    { since, until, project, format, stackBy, timeZone, now }: StatisticsTask,
    current: Pick<CurrentTask, "check">,
  ): FoundStatistics {
    const zone = this.#zone(timeZone);
    const collector = new StatisticsCollector({ since, until, zone, stackBy, prices: this.#prices, now });
    for (const session of this.#sessions.values()) {
      if (project !== null && session.project !== project) continue;
      if (format !== null && session.format !== format) continue;
      current.check();
      collector.beginSession({ ...session, isSubagent: this.#subagents.has(session.key) });
      for (const chunk of this.#chunks.get(session.key) ?? []) {
        const own = this.#own.get(chunk.id);
        collector.add(own?.sums ?? chunk, () =>
          own === undefined ? this.#messages(chunk) : this.#ownMessages(chunk, own),
        );
      }
    }
    return {
      ...collector.result(),
      longest: this.#longest(new Set(collector.sessions)),
      skipped_files: this.#source.skipped(),
    };
  }

  #zone(name: string): TimeZone {
    let zone = this.#zones.get(name);
    if (zone === undefined) {
      if (this.#zones.size === MAX_ZONES) this.#zones.clear();
      zone = new TimeZone(name);
      this.#zones.set(name, zone);
    }
    return zone;
  }

  #longest(counted: ReadonlySet<number>): string[] {
    const paths: string[] = [];
    for (const { key, path } of this.#source.longestFirst()) {
      if (!counted.has(key)) continue;
      paths.push(path);
      if (paths.length === MAX_LONGEST) break;
    }
    return paths;
  }

  #refresh(): void {
    const version = this.#source.version();
    if (version === this.#seenVersion) return;
    this.#answers.clear();
    this.#refreshSessions();
    this.#subagents = new Set(this.#source.subagents());
    this.#refreshChunks();
    this.#refreshOwn(this.#copies());
    this.#seenVersion = version;
  }

  #refreshSessions(): void {
    const generation = this.#source.generation();
    if (generation === this.#seenGeneration) return;
    this.#sessions = new Map(this.#source.sessions().map((row) => [row.key, row]));
    this.#seenGeneration = generation;
  }

  #refreshChunks(): void {
    const known = this.#chunks;
    this.#chunks = new Map();
    if (this.#names.size > MAX_NAMES) this.#names = new Map();
    if (known.size === 0) {
      const room = new NumberRoom(ROOM);
      for (const row of this.#source.rollups()) this.#addChunk(row, room);
      return;
    }
    for (const { id, entries } of this.#source.chunks()) {
      const { key } = placeOfChunk(id);
      const before = known.get(key)?.[this.#chunks.get(key)?.length ?? 0];
      if (before?.id === id && before.entries === entries) this.#keepChunk(before);
      else this.#addChunk(this.#source.rollup(id));
    }
  }

  #addChunk(row: RollupRow | undefined, room?: NumberRoom): void {
    if (row === undefined) throw new IndexError("damaged", "A chunk of statistics is missing.");
    const { id, entries } = row;
    const rollup = this.#decoded(row.rollup);
    this.#keepChunk({ id, entries, origins: rollup.origins, ...hourlySums(rollup, this.#prices, room) });
  }

  #keepChunk(chunk: Chunk): void {
    const { key } = placeOfChunk(chunk.id);
    const chunks = this.#chunks.get(key);
    if (chunks === undefined) this.#chunks.set(key, [chunk]);
    else chunks.push(chunk);
  }

  #decoded(rollup: Uint8Array): Rollup {
    return decodeRollup(rollup, (encoded) => {
      const key = latin1.decode(encoded);
      const known = this.#names.get(key);
      if (known !== undefined) return known;
      const names = decodeNames(encoded);
      this.#names.set(key, names);
      return names;
    });
  }

  /** The copies within families, by chunk. */
  #copies(): Map<number, ReadonlySet<number>> {
    const known = this.#families;
    this.#families = new Map();
    const copies = new Map<number, ReadonlySet<number>>();
    const origins = [...this.#chunks].map(([key, chunks]) => [key, chunks.flatMap((chunk) => chunk.origins)] as const);
    for (const keys of familiesOf(origins)) {
      const family = keys.flatMap((key) => this.#sessions.get(key) ?? []).sort(byAge);
      const chunks = family.flatMap(({ key }) => this.#chunks.get(key) ?? []);
      const signature = chunks.map(({ id, entries }) => `${id} ${entries}`).join();
      const found = known.get(signature) ?? this.#copiesAmong(chunks);
      this.#families.set(signature, found);
      for (const [id, places] of found) copies.set(id, places);
    }
    return copies;
  }

  /** @param chunks of sessions that may contain copies of each other's messages, oldest session first. */
  #copiesAmong(chunks: readonly Chunk[]): Map<number, Set<number>> {
    const seen = new Set<string>();
    const found = new Map<number, Set<number>>();
    for (const chunk of chunks) {
      const outline = this.#outline(chunk.id);
      const copies = new Set<number>();
      for (const { place, timestamp } of this.#messages(chunk)) {
        const id = outline.idAt(place);
        if (id === null) continue;
        const identity = identityOf(id, timestamp);
        // Within a session, IDs are unique.
        if (seen.has(identity)) copies.add(place);
        else seen.add(identity);
      }
      if (copies.size > 0) found.set(chunk.id, copies);
    }
    return found;
  }

  /** Sums anew where copies or corrections have come or gone. */
  #refreshOwn(copies: ReadonlyMap<number, ReadonlySet<number>>): void {
    const corrections = this.#corrections();
    const known = this.#own;
    this.#own = new Map();
    for (const chunk of [...this.#chunks.values()].flat()) {
      const changes = {
        copies: copies.get(chunk.id) ?? NO_COPIES,
        corrections: corrections.get(chunk.id) ?? NO_CORRECTIONS,
      };
      if (changes.copies.size + changes.corrections.size === 0) continue;
      const signature = JSON.stringify([chunk.entries, [...changes.copies], [...changes.corrections]]);
      const before = known.get(chunk.id);
      if (before?.signature === signature) this.#own.set(chunk.id, before);
      else {
        const { rollup } = encodeActivity(this.#ownMessages(chunk, changes), []);
        this.#own.set(chunk.id, { ...changes, signature, sums: hourlySums(this.#decoded(rollup), this.#prices) });
      }
    }
  }

  /** By chunk and position. */
  #corrections(): Map<number, Map<number, UsageNumbers>> {
    const corrections = new Map<number, Map<number, UsageNumbers>>();
    for (const { key, ordinal, ...more } of this.#source.corrections()) {
      const id = chunkId(key, activityPlace(ordinal));
      got(corrections, id, () => new Map<number, UsageNumbers>()).set(ordinal % ACTIVITY_CHUNK, more);
    }
    return corrections;
  }

  #ownMessages(chunk: Chunk, { copies, corrections }: ChunkChanges): PlacedActivity[] {
    const { key, place: at } = placeOfChunk(chunk.id);
    const first = at * ACTIVITY_CHUNK;
    // Which copy of an answer counts is said by the corrections, wherever its messages count.
    const answered = new Set(copies.size === 0 ? [] : this.#source.answered(key, first, first + ACTIVITY_CHUNK));
    return this.#messages(chunk).flatMap((message) => {
      const { place, timestamp } = message;
      const more = corrections.get(place);
      const usage = message.activity.usage;
      const counted = usage === null || more === undefined ? usage : corrected(usage, more);
      const tier = counted?.cost_usd == null ? message.activity.tier : NOT_ESTIMATED;
      if (!copies.has(place)) return { place, timestamp, activity: { ...message.activity, tier, usage: counted } };
      if (counted === null || isNothing(counted) || !answered.has(first + place)) return [];
      return {
        place,
        timestamp,
        activity: { ...message.activity, role: null, tier, usage: counted, calls: [], failed: [] },
      };
    });
  }

  #messages({ id, names }: Chunk): PlacedActivity[] {
    const details = this.#source.details(id) ?? NOTHING;
    const outline = this.#outline(id);
    return decodeActivity(names, details, (place) => outline.timestampAt(place));
  }

  /** Outline data of a chunk's entries. */
  #outline(id: number) {
    const { key, place } = placeOfChunk(id);
    const first = place * ACTIVITY_CHUNK;
    const before = first % OUTLINE_CHUNK;
    const entries = this.#source.outline(chunkId(key, (first - before) / OUTLINE_CHUNK)) ?? NOTHING;
    const outline = Outline.decodeAlone(entries, first - before);
    return {
      timestampAt: (at: number) => outline.timestamp(before + at),
      /** `null` if the entry has no ID. */
      idAt(at: number): string | null {
        const own = outline.id(before + at);
        return own === syntheticId(first + at) ? null : own;
      },
    };
  }
}

const latin1 = new TextDecoder("latin1");
const NOTHING = new Uint8Array(0);
const NO_COPIES: ReadonlySet<number> = new Set();
const NO_CORRECTIONS: ReadonlyMap<number, UsageNumbers> = new Map();

function isNothing({ total_tokens: tokens, cost_usd: cost }: Usage): boolean {
  return tokens === 0 && (cost ?? 0) === 0;
}

/** Copies are newer than their originals. */
function byAge(a: CountedSession, b: CountedSession): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}
