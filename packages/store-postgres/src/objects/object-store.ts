import { AppError } from "@sm/core";

/** An object as a store lists it. */
export interface StoredObject {
  key: string;
  bytes: number;
}

/**
 * Where the packed bytes of chunks are that are not in PostgreSQL. An object is written once and never changed, so that
 * whoever reads one meanwhile reads all of it.
 *
 * Keys are of lower-case letters, digits, `-` and `/`. All methods reject with AppError `UNAVAILABLE` where the store does
 * not answer in time.
 */
export interface ObjectStore {
  /** For the log, without anything secret. */
  readonly name: string;
  /** Resolves when the bytes are there even after a power failure. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** All bytes, or the first ones; `null` where there is no such object. */
  get(key: string, length?: number): Promise<Buffer | null>;
  /** Nothing happens where there is none. */
  delete(key: string): Promise<void>;
  /** All objects below a folder, in no order. Those that come or go meanwhile may be among them. */
  list(folder: string): AsyncGenerator<StoredObject, void>;
}

/** Of one request to a store; commands have two minutes. */
export const REQUEST_MS = 15_000;
const RETRY_AFTER_MS = 5_000;

/** The cause is for the log: it may name addresses that only whoever runs the hub should see. */
export function unavailableStore(cause: unknown): AppError {
  return new AppError("UNAVAILABLE", "The hub's store of session bytes does not answer; try again in a moment.", {
    cause,
    details: { retry_after_ms: RETRY_AFTER_MS },
  });
}
