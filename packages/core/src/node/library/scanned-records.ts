import { setImmediate as turn } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { Listing } from "../catalog/listing.ts";
import type { OpenIndex } from "../indexing/open-index.ts";

/** Three milliseconds of the main thread, with the JSON that a transport makes of them. */
const RECORDS_AT_ONCE = 50;

export interface ScannedRecordsOptions {
  index: Pick<OpenIndex, "list" | "resets">;
  /** The index's `resets` at the time of the scan. */
  resets: number;
  withMarks(records: SessionRecord[]): Promise<SessionRecord[]>;
  /** Called after the last record. */
  onEnd(): void;
}

/**
 * Reads all records in pages, so that other requests run in between. Pages are made of paths: despite concurrent
 * changes, no session is repeated or omitted.
 *
 * @throws AppError UNAVAILABLE if the index is rebuilt in the meantime.
 */
export async function* scannedRecords(options: ScannedRecordsOptions): AsyncGenerator<SessionRecord[]> {
  const { index, resets, withMarks, onEnd } = options;
  const read = <T>(from: (listing: Listing) => T | Promise<T>) =>
    index.list((listing) => {
      if (index.resets > resets) {
        throw new AppError("UNAVAILABLE", "The index is being rebuilt; scan the sessions again.");
      }
      return from(listing);
    });
  const sessions = await read((listing) => listing.all());
  for (let start = 0; start < sessions.length; start += RECORDS_AT_ONCE) {
    const page = sessions.slice(start, start + RECORDS_AT_ONCE);
    yield await withMarks(await read((listing) => listing.of(page)));
    await turn();
  }
  onEnd();
}
