import type { Activity, PlacedActivity } from "./activity.ts";
import { ACTIVITY_CHUNK, type ActivityChunk, decodeActivity, decodeRollup, encodeActivity } from "./activity-chunk.ts";

/** A chunk that something was added to. */
export interface ChangedActivity extends ActivityChunk {
  /** Its place among the chunks of the session. */
  place: number;
  /** Entries up to the last one that is told of: it grows with everything that is added. */
  entries: number;
}

interface OpenChunk {
  place: number;
  messages: PlacedActivity[];
  origins: number[];
  entries: number;
}

/**
 * What the messages of a session add to statistics, entry by entry. Only the chunk that grows is held; what was added to
 * those before it waits as bytes until it is kept.
 */
export class SessionActivity {
  #open: OpenChunk;
  #changed: ChangedActivity[] = [];
  #isOpenChanged = false;

  /** @param open what is kept of the chunk that the next entry belongs to. */
  constructor(open: OpenChunk = newChunk(0)) {
    this.#open = open;
  }

  /**
   * Goes on with a session that has so many entries.
   *
   * @param kept its chunk at `activityPlace(count)`, `null` where there is none.
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

  /** @param origin the identity of an entry at which a conversation begins. */
  addOrigin(ordinal: number, origin: number): void {
    this.#chunkOf(ordinal).origins.push(origin);
  }

  /** The chunks to which something was added since the session was read or kept. */
  changedChunks(): ChangedActivity[] {
    return this.#isOpenChanged ? [...this.#changed, encoded(this.#open)] : this.#changed;
  }

  /** Takes note that all changed chunks were written where they are kept. */
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

/** The place of the chunk that an entry belongs to. */
export function activityPlace(ordinal: number): number {
  return Math.floor(ordinal / ACTIVITY_CHUNK);
}

function newChunk(place: number): OpenChunk {
  return { place, messages: [], origins: [], entries: 0 };
}

function encoded({ place, messages, origins, entries }: OpenChunk): ChangedActivity {
  return { place, entries, ...encodeActivity(messages, origins) };
}
