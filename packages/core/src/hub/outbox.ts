import type { SessionFormatName } from "../session/record.ts";
import type { BatchAnswer } from "./batch.ts";

/** What is sent to a hub; what is not chosen is not even opened for it. */
export interface OutboxSettings {
  /** Working directories whose sessions are sent, and those below: absolute paths. `null`: of all. */
  projects: readonly string[] | null;
  /** `null`: sessions of all formats. */
  formats: readonly SessionFormatName[] | null;
  /** Secrets and personal data are replaced before anything is sent, these words too; `null`: bytes as they are. */
  redaction: { words: readonly string[] } | null;
}

/** A batch that is to be delivered. */
export interface OutgoingBatch {
  /** As `encodeBatch` makes it, packed with brotli. */
  body: Uint8Array;
  /** Of files, before packing. */
  fileBytes: number;
}

export interface OutboxStatus {
  machineId: string | null;
  /** Sessions and changes that the hub does not have yet. */
  pending: number;
  /** Files that the hub has. */
  files: number;
  /** What was refused or cannot be read, for people. */
  problems: string[];
}

/** What a hub has not got yet, in batches. Whoever delivers them says what became of each before they take the next. */
export interface Outbox {
  /** `null`: nothing is sent. */
  settings: OutboxSettings | null;
  /** Called when there may be something to send. One listener at a time. */
  onNews: () => void;
  /** What is most urgent; `null` where the hub has everything. */
  next(): Promise<OutgoingBatch | null>;
  /** Takes note of the hub's answer to the last batch. */
  delivered(answer: BatchAnswer): Promise<void>;
  /** The last batch did not arrive, as far as is known. */
  failed(): void;
  /** Compares with the hub what it has been sent: it may have been restored from a backup. */
  compare(): void;
  status(): Promise<OutboxStatus>;
}
