import { setImmediate as turn } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SessionKey } from "../catalog/found-files.ts";
import type { Listing } from "../catalog/listing.ts";
import type { MarkedKey, RecordPage } from "../catalog/record-pages.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { LibraryEvents } from "./library-events.ts";

/** About 70 KB of JSON, and a millisecond of a thread; with 100, a scan takes 25 MB more (measured). */
const RECORDS_AT_ONCE = 50;
/** For two threads: each makes one while its next one waits. */
const PAGES_AHEAD = 4;

export interface ScannedRecordsOptions {
  index: Pick<OpenIndex, "list" | "records" | "resets">;
  /** The index's `resets` at the time of the scan. */
  resets: number;
  events: Pick<LibraryEvents, "note" | "answeredUnsearchable">;
  marked(sessions: readonly SessionKey[]): Promise<MarkedKey[]>;
  withMarks(records: SessionRecord[]): Promise<SessionRecord[]>;
  requester: Requester | undefined;
  /** Called after the last record. */
  onEnd(): void;
}

/**
 * Gives the records of all sessions as JSON, in pages: each record behind a comma. Threads make the pages a little ahead
 * of the reader; what changes meanwhile is read again when its page is given. Pages are made of paths: despite
 * concurrent changes, no session is repeated or omitted.
 *
 * @throws AppError UNAVAILABLE if the index is rebuilt in the meantime.
 */
export async function* scannedRecords(options: ScannedRecordsOptions): AsyncGenerator<Uint8Array, void> {
  const { index, resets, events, marked, withMarks, requester, onEnd } = options;
  const read = <T>(from: (listing: Listing) => T | Promise<T>) =>
    index.list((listing) => {
      checkReset();
      return from(listing);
    });
  const checkReset = () => {
    if (index.resets > resets) {
      throw new AppError("UNAVAILABLE", "The index is being rebuilt; scan the sessions again.");
    }
  };
  const changed = new Set<string>();
  const stopNoting = events.note(changed);
  try {
    const sessions = await read((listing) => listing.all());
    const pages: { page: SessionKey[]; coming: Promise<RecordPage> }[] = [];
    for (let start = 0; start < sessions.length || pages.length > 0; ) {
      for (; pages.length < PAGES_AHEAD && start < sessions.length; start += RECORDS_AT_ONCE) {
        const page = sessions.slice(start, start + RECORDS_AT_ONCE);
        const coming = marked(page).then((keys) => index.records(keys, requester));
        // Thrown when awaited; otherwise irrelevant.
        coming.catch(() => undefined);
        pages.push({ page, coming });
      }
      const next = pages.shift();
      if (next === undefined) break;
      const made = await next.coming;
      checkReset();
      const isOther = ({ path }: SessionKey, n: number) => isMissing(made, n) || changed.has(path);
      const others = next.page.filter(isOther).map(({ path }) => path);
      if (others.length === 0) {
        events.answeredUnsearchable(made.unindexed);
        yield made.json;
        continue;
      }
      const records = await withMarks(await read((listing) => listing.some(others)));
      events.answeredUnsearchable(made.unindexed.filter((path) => !changed.has(path)));
      const texts = new Map(records.map((record) => [record.path, Buffer.from(`,${JSON.stringify(record)}`)]));
      const isRead = new Set(others);
      yield Buffer.concat(
        next.page.map(({ path }, n) => (isRead.has(path) ? (texts.get(path) ?? NOTHING) : pieceOf(made, n))),
      );
      await turn();
    }
    onEnd();
  } finally {
    stopNoting();
  }
}

const NOTHING = new Uint8Array();

function pieceOf({ json, ends }: RecordPage, n: number): Uint8Array {
  return json.subarray(ends[n - 1] ?? 0, ends[n]);
}

/** Whether a session is gone, or was written anew under another key. */
function isMissing(page: RecordPage, n: number): boolean {
  return pieceOf(page, n).length === 0;
}
