import { IndexError } from "@sm/text-index/storage";
import type { LibraryLog } from "../../library-log.ts";
import { prepareSuccessor } from "../catalog/index-databases.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import type { IndexParts } from "./index-parts.ts";

export interface SuccessorOptions {
  directory: string;
  cores: number;
  log: LibraryLog;
  open(place: IndexPlace): IndexParts;
  /** Closes and removes what was given up. */
  retire(parts: IndexParts): void;
  /** Called after each of its comparisons with the directories. */
  onCompared(): void;
}

/** The index that is built beside one of an older content version, which answers until this one is complete. */
export class Successor {
  readonly #options: SuccessorOptions;
  #isWanted = false;
  #parts: IndexParts | null = null;
  #isCompared = false;

  constructor(options: SuccessorOptions) {
    this.#options = options;
  }

  /** `null` while none is built. */
  get parts(): IndexParts | null {
    return this.#parts;
  }

  /** Whether it has every record and every text. */
  get isWhole(): boolean {
    const indexer = this.#parts?.indexer;
    return indexer !== undefined && this.#isCompared && indexer.isSettled && indexer.pendingTexts === 0;
  }

  /** Says whether what answers now is outdated. */
  want(isWanted: boolean): void {
    this.#isWanted = isWanted;
  }

  /** Compares it with the directories, as what answers was just now; the first time it is begun. */
  follow(answering: IndexPlace, directories: string[], missing: string[]): void {
    if (!this.#isWanted) return;
    if (this.#parts === null) {
      const { directory, cores, log, open } = this.#options;
      try {
        this.#parts = open(prepareSuccessor(directory, answering, cores));
        this.#isCompared = false;
      } catch (error) {
        this.giveUp(error);
        return;
      }
      log.info({ directory: this.#parts.place.directory }, "Building a new index while the old one answers");
    }
    this.tell(async (parts) => {
      await parts.refresh(directories, missing);
      if (parts !== this.#parts) return;
      this.#isCompared = true;
      this.#options.onCompared();
    });
  }

  /** Has it follow a change. Failures are told to `onIndexError` by its threads, or mended by the next comparison. */
  tell(change: (parts: IndexParts) => Promise<unknown>): void {
    if (this.#parts !== null) void change(this.#parts).catch(() => undefined);
  }

  /** The old index goes on answering; the next start tries once more. */
  giveUp(error: unknown): void {
    const parts = this.take();
    this.#isWanted = false;
    this.#options.log.error({ err: error }, "Could not build the new index; using the old one");
    if (parts !== null) this.#options.retire(parts);
  }

  /** Hands it over if it is still in place; otherwise it is given up. */
  succeed(): IndexParts | null {
    if (this.#parts?.isInPlace !== true) {
      this.giveUp(new IndexError("damaged", "The new index was deleted."));
      return null;
    }
    this.#isWanted = false;
    return this.take();
  }

  /** Hands over what there is, to be used or closed. */
  take(): IndexParts | null {
    const parts = this.#parts;
    this.#parts = null;
    return parts;
  }
}
