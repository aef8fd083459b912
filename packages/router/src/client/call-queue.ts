import { dataOf } from "./answer.ts";
import { CommandError, ConnectionError } from "./errors.ts";
import { MessageTooBigError, type ServerMessage } from "./socket.ts";

/**
 * The service runs 256 requests of a connection at a time and reads no others meanwhile. Half of that leaves room for
 * those that were given up here and still run there, and for the connection's own.
 */
const MAX_RUNNING = 128;

/** A command on its way. */
interface Call {
  text: string;
  resolve(data: unknown): void;
  reject(error: unknown): void;
}

export interface CallRequest {
  command: string;
  payload: unknown;
  signal: AbortSignal | undefined;
}

/** Commands for one WebSocket after the other: those that wait to be sent, and those that the service runs. */
export class CallQueue {
  readonly #waiting = new Map<number, Call>();
  /** Sent. Never sent again: the service may have run them although the connection broke. */
  readonly #running = new Map<number, Call>();
  readonly #noConnection: () => Error | null;
  #lastId = 0;

  /** @param noConnection tells why there is no connection, where there is none. */
  constructor(noConnection: () => Error | null) {
    this.#noConnection = noConnection;
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Has a command wait until it is sent; gives the data of its answer. */
  add({ command, payload, signal }: CallRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const id = this.#lastId;
      this.#waiting.set(id, { text: JSON.stringify({ id, command, payload }), resolve, reject });
      signal?.addEventListener("abort", () => {
        const failure = this.#waiting.delete(id) ? this.#noConnection() : null;
        this.#running.delete(id);
        reject(failure === null ? signal.reason : withCause(signal.reason, failure));
      });
    });
  }

  /** Sends what waits, as much as the service may run. */
  send(send: (text: string) => void): void {
    for (const [id, call] of this.#waiting) {
      if (this.#running.size === MAX_RUNNING) return;
      this.#waiting.delete(id);
      this.#running.set(id, call);
      send(call.text);
    }
  }

  takeAnswer(id: number, answer: ServerMessage): void {
    const answered = this.#running.get(id);
    this.#running.delete(id);
    try {
      answered?.resolve(dataOf(answer));
    } catch (error) {
      answered?.reject(error);
    }
  }

  /** Gives up what was sent: the connection is gone, and nobody knows what became of it. */
  rejectRunning(error: Error): void {
    const calls = [...this.#running.values()];
    this.#running.clear();
    if (error instanceof MessageTooBigError) {
      // Whichever it was, the largest is one that is too large.
      const [largest] = calls.sort((a, b) => sizeOf(b) - sizeOf(a));
      largest?.reject(new CommandError("PAYLOAD_TOO_LARGE", "The request is larger than the service takes."));
    }
    const reason = error instanceof ConnectionError ? error : new ConnectionError("NO_ANSWER", error.message);
    for (const { reject } of calls) reject(reason);
  }

  /** Gives up what waits: there will be no other connection. */
  rejectWaiting(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** Adds to the end of a call that was never sent why it was not. */
function withCause(reason: unknown, cause: Error): unknown {
  if (!(reason instanceof ConnectionError) || reason.code !== "TIMED_OUT") return reason;
  return new ConnectionError(reason.code, `${reason.message} ${cause.message}`, { cause });
}

/** Bytes of a call's message. */
function sizeOf({ text }: Call): number {
  return new TextEncoder().encode(text).length;
}
