/** Maximum bytes of a report, and of its largest record: an eighth of the service's request limit. */
const BATCH_SIZE = 1024 * 1024;

/** Maximum records of a report, as the service accepts. */
const BATCH_LENGTH = 1_000;

/**
 * Maximum bytes queued while the service is unavailable; drops the oldest records, which the session file has anyway.
 */
const WAITING_SIZE = 4 * BATCH_SIZE;

/** Characters of image data kept in a record that is too large. */
const SMALL_DATA = 1_024;

/** A record for the service, as JSON. */
interface Waiting {
  text: string;
  bytes: number;
  /** The next record with the same key replaces it. */
  key: string | null;
}

/** Bounded queue of records for the service. */
export class RecordQueue {
  #waiting: Waiting[] = [];
  #bytes = 0;
  #isWoken = false;
  #resolve = () => {};

  /**
   * Adds a snapshot of a record, because the agent modifies its messages. Replaces the previous record if both have the
   * same key. If it is too large, removes its images, or everything but its type. Ignores what JSON cannot represent.
   */
  add<AgentRecord extends { type: string }>(record: AgentRecord, key: string | null = null): void {
    const waiting = written(record, key);
    if (waiting === null) return;
    if (key !== null && this.#waiting.at(-1)?.key === key) this.#bytes -= this.#waiting.pop()?.bytes ?? 0;
    this.#insert(this.#waiting.length, [waiting]);
    this.wake();
  }

  /** Waits until there is a record, or {@link wake} is called. */
  async filled(): Promise<void> {
    if (this.#waiting.length === 0 && !this.#isWoken) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
    this.#isWoken = false;
  }

  wake(): void {
    this.#isWoken = true;
    this.#resolve();
  }

  /** Takes the oldest records, up to the size of one report. */
  take(): Waiting[] {
    let count = 0;
    let bytes = 0;
    for (const record of this.#waiting) {
      bytes += record.bytes;
      if (count === BATCH_LENGTH || bytes > BATCH_SIZE) break;
      count++;
    }
    return this.#remove(count);
  }

  /** Puts back records that could not be reported. */
  requeue(records: Waiting[]): void {
    this.#insert(0, records);
  }

  #insert(place: number, records: Waiting[]): void {
    this.#waiting.splice(place, 0, ...records);
    for (const { bytes } of records) this.#bytes += bytes;
    while (this.#bytes > WAITING_SIZE) this.#remove(1);
  }

  #remove(count: number): Waiting[] {
    const removed = this.#waiting.splice(0, count);
    for (const { bytes } of removed) this.#bytes -= bytes;
    return removed;
  }
}

function written(record: { type: string }, key: string | null): Waiting | null {
  try {
    let text = JSON.stringify(record);
    const bytes = Buffer.byteLength(text);
    if (bytes <= BATCH_SIZE) return { text, bytes, key };
    text = JSON.stringify(record, withoutImages);
    if (Buffer.byteLength(text) > BATCH_SIZE) text = JSON.stringify({ type: record.type, truncated: true, bytes });
    return { text, bytes: Buffer.byteLength(text), key };
  } catch {
    // A tool of another extension may return data that JSON cannot represent.
    return null;
  }
}

function withoutImages(key: string, value: unknown): unknown {
  return key === "data" && typeof value === "string" && value.length > SMALL_DATA ? "" : value;
}
