import { AppError, noRoomError, type Requester, Turns } from "@sm/core";

export const MEBIBYTE = 1_048_576;

/** Memory of a streamed response: two pieces, as text, as JSON and in the socket's buffer. */
export const PIECEWISE_BYTES = MEBIBYTE / 2;

/** Memory of a response for which a thread keeps a session open: its outline and the current entries. */
export const OPEN_SESSION_BYTES = 8 * MEBIBYTE;

export interface AnswerBudgetOptions {
  /** Limit for all responses being created or sent; default 128 MiB. */
  bytes?: number;
  /** Milliseconds that a response waits for its share; default 30,000. */
  waitMs?: number;
  /** Responses of one client that may wait; default 256. */
  mostOfClient?: number;
}

/** A reservation in the budget, to be released. */
export interface AnswerPart {
  /** Updates the actual size; a larger one only makes others wait longer. */
  resize(bytes: number): void;
  /** Releases the reservation; idempotent. */
  release(): void;
}

/**
 * A client may take this fraction of what the others leave free, so that a few slow readers always leave room for the
 * next client.
 */
const SHARE = 4;

const RETRY_MS = 1_000;

interface Waiting {
  client: string;
  bytes: number;
  begin(): void;
}

/**
 * Limits the memory of all responses being created or sent, because their size depends on the sessions. Requests that
 * do not fit wait; clients take turns, and none gets more than a quarter of what the others leave free.
 */
export class AnswerBudget {
  readonly #bytes: number;
  readonly #waitMs: number;
  readonly #turns: Turns<Waiting>;
  /** Bytes by client; entries of 0 are removed. */
  readonly #clients = new Map<string, number>();
  #reservedBytes = 0;

  constructor({ bytes = 128 * MEBIBYTE, waitMs = 30_000, mostOfClient = 256 }: AnswerBudgetOptions = {}) {
    this.#bytes = bytes;
    this.#waitMs = waitMs;
    this.#turns = new Turns(mostOfClient);
  }

  /** Bytes currently reserved. */
  get reservedBytes(): number {
    return this.#reservedBytes;
  }

  /** Responses that wait. */
  get waiting(): number {
    return this.#turns.size;
  }

  /**
   * Reserves memory for a response when it is its turn; released automatically when the caller is gone.
   *
   * @param bytes expected size. More than a client's share is granted if it has nothing else reserved.
   * @throws AppError `UNAVAILABLE` if it waited too long or the client has too many waiting; the signal's reason.
   */
  async take(bytes: number, requester: Requester): Promise<AnswerPart> {
    const { client = "", signal } = requester;
    signal?.throwIfAborted();
    // First come, first served.
    if (this.waiting > 0 || !this.#hasRoom(client, bytes)) await this.#wait(client, bytes, requester);
    else this.#hold(client, bytes);
    return this.#part(client, bytes, signal);
  }

  #hasRoom(client: string, bytes: number): boolean {
    return this.#hasOwnRoom(client, bytes) && (this.#reservedBytes === 0 || this.#reservedBytes + bytes <= this.#bytes);
  }

  #hasOwnRoom(client: string, bytes: number): boolean {
    const reservedBytes = this.#clients.get(client) ?? 0;
    return (
      reservedBytes === 0 || reservedBytes + bytes <= (this.#bytes - (this.#reservedBytes - reservedBytes)) / SHARE
    );
  }

  #hold(client: string, bytes: number): void {
    const reservedBytes = (this.#clients.get(client) ?? 0) + bytes;
    if (reservedBytes === 0) this.#clients.delete(client);
    else this.#clients.set(client, reservedBytes);
    this.#reservedBytes += bytes;
  }

  #wait(client: string, bytes: number, requester: Requester): Promise<void> {
    if (!this.#turns.hasRoom(requester)) throw noRoomError();
    const { signal } = requester;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const giveUp = (error: unknown) => {
        end();
        this.#turns.delete(waiting);
        reject(error);
        this.#advance();
      };
      const onAbort = () => giveUp(signal?.reason);
      const waiting: Waiting = {
        client,
        bytes,
        begin: () => {
          end();
          this.#hold(client, bytes);
          resolve();
        },
      };
      const timer = setTimeout(() => giveUp(this.#tooMuch()), this.#waitMs);
      signal?.addEventListener("abort", onAbort);
      this.#turns.add(waiting, requester);
      // Others may wait for what this client no longer needs.
      this.#advance();
    });
  }

  /** Starts waiting requests that fit now, one client after the other. */
  #advance(): void {
    for (let began = true; began; ) {
      began = false;
      for (const next of this.#turns.heads()) {
        if (this.#hasRoom(next.client, next.bytes)) {
          this.#turns.take(next);
          next.begin();
          began = true;
        }
        // If the shared budget is exhausted, nobody overtakes: small responses would keep a large one waiting forever.
        else if (this.#hasOwnRoom(next.client, next.bytes)) return;
      }
    }
  }

  #part(client: string, bytes: number, signal: AbortSignal | undefined): AnswerPart {
    let reservedBytes = bytes;
    const resize = (to: number) => {
      this.#hold(client, to - reservedBytes);
      reservedBytes = to;
      this.#advance();
    };
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      signal?.removeEventListener("abort", release);
      resize(0);
    };
    if (signal?.aborted) release();
    else signal?.addEventListener("abort", release);
    return {
      resize: (to) => {
        if (!isReleased) resize(to);
      },
      release,
    };
  }

  #tooMuch(): AppError {
    return new AppError(
      "UNAVAILABLE",
      "The service is sending as many large responses as its memory limit allows (limits.answer_bytes). Try again in a moment.",
      { details: { retry_after_ms: RETRY_MS } },
    );
  }
}
