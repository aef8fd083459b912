/** Bytes of one report, and of its largest record: an eighth of what the service takes as a request. */
const BATCH_SIZE = 1024 * 1024;

/** Records of one report; the service takes no more. */
const BATCH_LENGTH = 1_000;

/** Bytes that wait while the service is away; the oldest records go first, since the session's file has them anyway. */
const WAITING_SIZE = 4 * BATCH_SIZE;

/** Characters of an image's data that are sent where a record is too large. */
const SMALL_DATA = 1_024;

/** A record for the service, as JSON. */
interface Waiting {
  text: string;
  bytes: number;
  /** The next record takes its place if that has the same key. */
  key: string | null;
}

/** Records for the service, in order and bounded. */
export class Outbox {
  #waiting: Waiting[] = [];
  #bytes = 0;
  #isWoken = false;
  #resolve = () => {};

  /**
   * Adds a record as it is now: the agent goes on writing into its messages. It takes the place of the record before it
   * if both have the same key. Of one that is too large, images go, or all but its type. What is no JSON is left out.
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

  /** Takes the oldest records, as many as one report holds. */
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

  /** Puts records back that could not be told. */
  putBack(records: Waiting[]): void {
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
    // A tool of another extension may return what is no JSON.
    return null;
  }
}

function withoutImages(key: string, value: unknown): unknown {
  return key === "data" && typeof value === "string" && value.length > SMALL_DATA ? "" : value;
}
