import { CommandError, ConnectionError } from "./errors.ts";
import { dataOf } from "./response-data.ts";
import { MessageTooBigError, type ServerMessage } from "./socket.ts";

/**
 * The service runs 256 requests per connection and reads no more until one completes. Half of that leaves room for
 * requests that were given up here but still run there, and for the connection's own requests.
 */
const MAX_RUNNING = 128;

/** A pending command. */
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

/** Queue of commands over successive WebSocket connections: waiting to be sent, or running in the service. */
export class CallQueue {
  readonly #waiting = new Map<number, Call>();
  /** Already sent; never sent again, because the service may have run them although the connection broke. */
  readonly #running = new Map<number, Call>();
  readonly #noConnection: () => Error | null;
  #lastId = 0;

  /** @param noConnection returns why there is no connection, or `null` if there is one. */
  constructor(noConnection: () => Error | null) {
    this.#noConnection = noConnection;
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Queues a command; resolves with the data of its response. */
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

  /** Sends waiting commands, up to the service's limit. */
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

  /** Rejects sent commands: the connection is lost and their outcome unknown. */
  rejectRunning(error: Error): void {
    const calls = [...this.#running.values()];
    this.#running.clear();
    if (error instanceof MessageTooBigError) {
      // The message that exceeded the limit is unknown; the largest one exceeds it in any case.
      const [largest] = calls.sort((a, b) => sizeOf(b) - sizeOf(a));
      largest?.reject(new CommandError("PAYLOAD_TOO_LARGE", "The request is larger than the service accepts."));
    }
    const reason = error instanceof ConnectionError ? error : new ConnectionError("NO_ANSWER", error.message);
    for (const { reject } of calls) reject(reason);
  }

  /** Rejects waiting commands: there will be no further connection. */
  rejectWaiting(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** Adds the connection error as the cause to a call that was never sent. */
function withCause(reason: unknown, cause: Error): unknown {
  if (!(reason instanceof ConnectionError) || reason.code !== "TIMED_OUT") return reason;
  return new ConnectionError(reason.code, `${reason.message} ${cause.message}`, { cause });
}

/** Bytes of a call's message. */
function sizeOf({ text }: Call): number {
  return new TextEncoder().encode(text).length;
}
