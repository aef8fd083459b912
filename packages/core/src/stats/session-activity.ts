import type { Activity, PlacedActivity } from "./activity.ts";
import { ACTIVITY_CHUNK, type ActivityChunk, decodeActivity, decodeRollup, encodeActivity } from "./activity-chunk.ts";

/** A changed chunk. */
export interface ChangedActivity extends ActivityChunk {
  /** Its index in the session. */
  place: number;
  /** Number of entries up to the last one included; increases with every change. */
  entries: number;
}

interface OpenChunk {
  place: number;
  messages: PlacedActivity[];
  origins: number[];
  entries: number;
}

/**
 * Statistics data of a session, per entry. Only the last chunk is in memory; changes to earlier ones are kept encoded
 * until they are saved.
 */
export class SessionActivity {
  #open: OpenChunk;
  #changed: ChangedActivity[] = [];
  #isOpenChanged = false;

  /** @param open the chunk of the next entry, as stored. */
  constructor(open: OpenChunk = newChunk(0)) {
    this.#open = open;
  }

  /**
   * Resumes a session with `count` entries.
   *
   * @param kept its chunk at `activityPlace(count)`, `null` if there is none.
   */
  static resume(count: number, kept: ActivityChunk | null, timestampAt: (ordinal: number) => number): SessionActivity {
    const place = activityPlace(count);
    if (kept === null) return new SessionActivity(newChunk(place));
    const first = place * ACTIVITY_CHUNK;
    const { names, origins } = decodeRollup(kept.rollup);
    const messages = decodeActivity(names, kept.details, (at) => timestampAt(first + at));
    return new SessionActivity({ place, messages, origins, entries: count - first });
  }

  add(ordinal: number, timestamp: number, activity: Activity): void {
    const chunk = this.#chunkOf(ordinal);
    chunk.messages.push({ place: ordinal % ACTIVITY_CHUNK, timestamp, activity });
  }

  /** @param origin hash of an entry that starts a conversation. */
  addOrigin(ordinal: number, origin: number): void {
    this.#chunkOf(ordinal).origins.push(origin);
  }

  /** The chunks changed since the session was read or saved. */
  changedChunks(): ChangedActivity[] {
    return this.#isOpenChanged ? [...this.#changed, encoded(this.#open)] : this.#changed;
  }

  /** Must be called when all changed chunks were saved. */
  changesKept(): void {
    this.#changed = [];
    this.#isOpenChanged = false;
  }

  #chunkOf(ordinal: number): OpenChunk {
    const place = activityPlace(ordinal);
    if (place !== this.#open.place) {
      if (this.#isOpenChanged) this.#changed.push(encoded(this.#open));
      this.#open = newChunk(place);
    }
    this.#isOpenChanged = true;
    this.#open.entries = (ordinal % ACTIVITY_CHUNK) + 1;
    return this.#open;
  }
}

/** Index of an entry's chunk. */
export function activityPlace(ordinal: number): number {
  return Math.floor(ordinal / ACTIVITY_CHUNK);
}

function newChunk(place: number): OpenChunk {
  return { place, messages: [], origins: [], entries: 0 };
}

function encoded({ place, messages, origins, entries }: OpenChunk): ChangedActivity {
  return { place, entries, ...encodeActivity(messages, origins) };
}
