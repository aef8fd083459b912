import { countOf, mergeDetached, type Segment, segmentsToMerge } from "@sm/text-index";
import type { CurrentTask } from "../threads/unwanted.ts";
import { type NewChunk, NewChunks, type NewSegment } from "./new-segment.ts";
import { entriesBySession, RemoteSegments } from "./remote-segments.ts";
import type { AskTexts } from "./remote-texts.ts";

/** Segments that were merged, and what is to be stored in their place. */
export interface MergedSegments {
  /** Their numbers; none: there was nothing to merge. */
  replaced: number[];
  /** `null` if nothing of them is alive. */
  segment: NewSegment | null;
  /** See `RemoteSegment`. */
  superseded: number[];
}

/**
 * Larger segments stay as they are: until a merge is complete, what it replaces is there too, in a table that seldom gives
 * room back to the file system. 1 GB of sessions then has some sixteen segments.
 */
const MAX_BYTES = 8 * 1024 * 1024;

/** The segments of a user that are due to be merged. */
export function remoteSegmentsToMerge<S extends { readonly bytes: number }>(segments: readonly S[]): S[] {
  let bytes = 0;
  return segmentsToMerge(segments, MAX_BYTES).filter((segment) => {
    bytes += segment.bytes;
    return bytes <= 2 * MAX_BYTES;
  });
}

/** With more dead documents than this share, a segment is written anew. */
const MAX_DEAD = 1 / 4;
/** What is merged is read from its start to its end. */
const READING = { chunkBytes: 128 * 1024, cacheBytes: 16 * 1024 * 1024 };

/**
 * Merges those segments of a user that are due.
 *
 * @param worn whether there may be segments with many dead documents.
 * @param flush takes chunks of the new segment before it is complete.
 * @throws UnwantedError
 */
export function mergeRemote(
  worn: boolean,
  current: CurrentTask,
  ask: AskTexts,
  flush: (chunks: NewChunk[]) => void,
): MergedSegments {
  const index = new RemoteSegments(READING);
  return index.with(ask, () => {
    const due = remoteSegmentsToMerge(index.segments);
    const chosen = due.length === 0 && worn ? wornSegments(index) : due;
    const { sessions } = index;
    const superseded = presentPairs(
      chosen.flatMap((segment) => index.remote(segment).superseded),
      sessions,
    );
    const replaced = chosen.map((segment) => index.remote(segment).id);
    if (chosen.length === 0) return { replaced, segment: null, superseded };
    const bySession = entriesBySession(index.superseded);
    const isAlive = ({ documents }: Segment, document: number): boolean => {
      const key = documents.keys[document] ?? 0;
      return sessions.has(key) && bySession.get(key)?.has(documents.ordinals[document] ?? 0) !== true;
    };
    const chunks = new NewChunks(flush);
    const steps = mergeDetached(chosen, isAlive, chunks.store);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return { replaced, segment: value === null ? null : chunks.segment(value), superseded };
      current.check();
    }
  });
}

/** Pairs of a session that is there and an entry, each once. */
function presentPairs(pairs: readonly number[], sessions: ReadonlySet<number>): number[] {
  const present: number[] = [];
  for (const [key, ordinals] of entriesBySession(pairs)) {
    if (sessions.has(key)) for (const ordinal of ordinals) present.push(key, ordinal);
  }
  return present;
}

function wornSegments(index: RemoteSegments): Segment[] {
  return index
    .live()
    .filter(({ view, living }) => view.documents.count - countOf(living) > view.documents.count * MAX_DEAD)
    .map(({ view }) => view.segment)
    .slice(0, 1);
}
