import { IndexError } from "@sm/text-index/storage";
import { LRUCache } from "lru-cache";
import type { NamedFile } from "../../library.ts";
import { parseQuery } from "../../search/query.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { answer, type SearchAnswer } from "./answer-query.ts";
import { KnownLines } from "./known-lines.ts";
import { namedFiles } from "./named-files.ts";
import { KnownAttributes, RemoteAttributes } from "./remote-attributes.ts";
import { RemoteSegments } from "./remote-segments.ts";
import { RemoteTextReader } from "./remote-text-reader.ts";
import type { AskTexts } from "./remote-texts.ts";
import type { NamedFilesTask, SearchTask } from "./search-tasks.ts";

/** Searches of a user find what the last ones have read. */
interface UserIndex {
  segments: RemoteSegments;
  attributes: KnownAttributes;
  lines: KnownLines;
}

/**
 * Most lists of places that a phrase needs take some hundred bytes, lists of documents some thousand: in chunks of 32 KB, a
 * search for five words read 700 KB to look at 35.
 */
const CHUNK_BYTES = 4 * 1024;
/** Of the room for all indexes, what one may take for what its searches read of segments, and for lines. */
const CACHED_SHARE = 1 / 2;
const LINES_SHARE = 1 / 6;
/** Users whose indexes a thread remembers. */
const MOST_USERS = 64;

/** Searches indexes that are kept elsewhere, each of one user. */
export class RemoteSearcher {
  readonly #users: LRUCache<string, UserIndex>;
  readonly #mostBytes: number;

  /** @param mostBytes what all indexes may keep together, apart from the one that is searched. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.#users = new LRUCache({ max: MOST_USERS });
  }

  /** @throws AppError INVALID_PAYLOAD for an invalid query or cursor; UnwantedError. */
  search(user: string, task: SearchTask, current: CurrentTask, ask: AskTexts): SearchAnswer {
    const query = parseQuery(task.query);
    return this.#with(user, ask, ({ segments, attributes, lines }) => {
      const sessions = new RemoteAttributes(segments, attributes, ask);
      const texts = new RemoteTextReader(ask, lines);
      try {
        return answer(task, query, { segments: segments.live(), sessions, texts }, current);
      } finally {
        texts.close();
      }
    });
  }

  /** Finds names of files in tool calls. @throws UnwantedError */
  namedFiles(
    user: string,
    { archivedPaths, ...wanted }: NamedFilesTask,
    current: CurrentTask,
    ask: AskTexts,
  ): NamedFile[] {
    return this.#with(user, ask, ({ segments, attributes }) => {
      const archived = new RemoteAttributes(segments, attributes, ask).archived(archivedPaths);
      return namedFiles(wanted, segments.live(), (key) => !archived.has(key), current);
    });
  }

  get cachedBytes(): number {
    let bytes = 0;
    for (const { segments, lines } of this.#users.values()) bytes += segments.bytes + lines.bytes;
    return bytes;
  }

  #with<T>(user: string, ask: AskTexts, use: (index: UserIndex) => T): T {
    const index = this.#users.get(user) ?? this.#newIndex();
    this.#users.set(user, index);
    try {
      return index.segments.with(ask, () => use(index));
    } catch (error) {
      // What is read again may be right.
      if (error instanceof IndexError) this.#users.delete(user);
      throw error;
    } finally {
      this.#release();
    }
  }

  #newIndex(): UserIndex {
    const cacheBytes = Math.floor(this.#mostBytes * CACHED_SHARE);
    return {
      segments: new RemoteSegments({ chunkBytes: CHUNK_BYTES, cacheBytes }),
      attributes: new KnownAttributes(),
      lines: new KnownLines(Math.floor(this.#mostBytes * LINES_SHARE)),
    };
  }

  /** Forgets the indexes that were searched longest ago. */
  #release(): void {
    while (this.#users.size > 1 && this.cachedBytes > this.#mostBytes) this.#users.pop();
  }
}
