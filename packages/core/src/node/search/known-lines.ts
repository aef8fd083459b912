import { LRUCache } from "lru-cache";
import type { LinePlace } from "./remote-texts.ts";

/** Of what is kept, beside its bytes: its name, and where it stands in the order. */
const ENTRY_BYTES = 300;
/** Longer ones would take the room of hundreds. */
const LONGEST_LINE_BYTES = 256 * 1024;

/**
 * The lines that a thread has read for one user: what is searched next often shows the same. Reading one again would
 * unpack, with a question, what stands before it in its chunk, about a hundred times as much.
 */
export class KnownLines {
  readonly #lines: LRUCache<string, Uint8Array>;

  /** @param mostBytes room for them. */
  constructor(mostBytes: number) {
    this.#lines = new LRUCache({
      maxSize: mostBytes,
      maxEntrySize: LONGEST_LINE_BYTES,
      sizeCalculation: (line) => ENTRY_BYTES + line.length,
    });
  }

  get bytes(): number {
    return this.#lines.calculatedSize;
  }

  get(place: LinePlace): Uint8Array | null {
    return this.#lines.get(nameOf(place)) ?? null;
  }

  /** @param line what there is of it: only a whole one stays as it is. */
  add(place: LinePlace, line: Uint8Array): void {
    if (line.length === place.length) this.#lines.set(nameOf(place), line);
  }
}

function nameOf({ content, offset, length }: LinePlace): string {
  return `${content} ${offset} ${length}`;
}
