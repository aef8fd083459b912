import { AppError, type Asker, noRoomError, Turns } from "@sm/core";

export const MEBIBYTE = 1_048_576;

/** Of an answer whose pieces are made while it is sent: two of them, as text, as JSON and in the buffer of the socket. */
export const PIECEWISE_BYTES = MEBIBYTE / 2;

/** Of one for which a thread keeps a session open: its outline, and the entries at hand. */
export const OPEN_SESSION_BYTES = 8 * MEBIBYTE;

export interface AnswerBudgetOptions {
  /** Of all answers that are made or sent at a time; 256 MiB if absent. */
  bytes?: number;
  /** Milliseconds that an answer waits for its part; 30,000 if absent. */
  waitMs?: number;
  /** Answers of one client that may wait; 256 if absent. */
  mostOfClient?: number;
}

/** A part of the budget, to be given back. */
export interface AnswerPart {
  /** Says how much it has come to, which may be more: then others wait longer. */
  resize(bytes: number): void;
  /** Gives it back; once is enough. */
  release(): void;
}

/**
 * A client may have one part in so many of what the others leave: of all where it is alone, of ever less the more there
 * are. So a few who take their answers as slowly as they can leave room for the next, whoever they are.
 */
const SHARE = 4;

const RETRY_MS = 1_000;

interface Waiting {
  client: string;
  bytes: number;
  begin(): void;
}

/**
 * Bounds the memory of all answers that are made and sent at a time, whose sizes their sessions decide. What has no room
 * waits; clients take turns, and none has more than a quarter of what the others leave.
 */
export class AnswerBudget {
  readonly #bytes: number;
  readonly #waitMs: number;
  readonly #turns: Turns<Waiting>;
  /** Bytes by client; none has 0. */
  readonly #clients = new Map<string, number>();
  #held = 0;

  constructor({ bytes = 256 * MEBIBYTE, waitMs = 30_000, mostOfClient = 256 }: AnswerBudgetOptions = {}) {
    this.#bytes = bytes;
    this.#waitMs = waitMs;
    this.#turns = new Turns(mostOfClient);
  }

  /** Bytes that answers have at present. */
  get held(): number {
    return this.#held;
  }

  /** Answers that wait. */
  get waiting(): number {
    return this.#turns.size;
  }

  /**
   * Takes a part for an answer, when it is its turn; given back by itself when nobody waits for the answer any more.
   *
   * @param bytes that the answer may come to. More than a client may have is taken when it has nothing else.
   * @throws AppError `UNAVAILABLE` where that takes too long, or too much of the client waits; the signal's reason.
   */
  async take(bytes: number, asker: Asker): Promise<AnswerPart> {
    const { client = "", signal } = asker;
    signal?.throwIfAborted();
    // Who comes later does not overtake.
    if (this.waiting > 0 || !this.#hasRoom(client, bytes)) await this.#wait(client, bytes, asker);
    else this.#hold(client, bytes);
    return this.#part(client, bytes, signal);
  }

  #hasRoom(client: string, bytes: number): boolean {
    return this.#hasOwnRoom(client, bytes) && (this.#held === 0 || this.#held + bytes <= this.#bytes);
  }

  #hasOwnRoom(client: string, bytes: number): boolean {
    const held = this.#clients.get(client) ?? 0;
    return held === 0 || held + bytes <= (this.#bytes - (this.#held - held)) / SHARE;
  }

  #hold(client: string, bytes: number): void {
    const held = (this.#clients.get(client) ?? 0) + bytes;
    if (held === 0) this.#clients.delete(client);
    else this.#clients.set(client, held);
    this.#held += bytes;
  }

  #wait(client: string, bytes: number, asker: Asker): Promise<void> {
    if (!this.#turns.hasRoom(asker)) throw noRoomError();
    const { signal } = asker;
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
      this.#turns.add(waiting, asker);
      // Those before may wait for what this client does not.
      this.#advance();
    });
  }

  /** Lets begin who has room now, one of each client at a time. */
  #advance(): void {
    for (let began = true; began; ) {
      began = false;
      for (const next of this.#turns.heads()) {
        if (this.#hasRoom(next.client, next.bytes)) {
          this.#turns.take(next);
          next.begin();
          began = true;
        }
        // Where it is the others that have all, nobody overtakes: small answers would keep a large one waiting for ever.
        else if (this.#hasOwnRoom(next.client, next.bytes)) return;
      }
    }
  }

  #part(client: string, bytes: number, signal: AbortSignal | undefined): AnswerPart {
    let held = bytes;
    const resize = (to: number) => {
      this.#hold(client, to - held);
      held = to;
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
      "The service has as many large answers under way as it has memory for (limits.answer_bytes); try again in a moment.",
      { details: { retry_after_ms: RETRY_MS } },
    );
  }
}
