import type { Socket } from "node:net";
import type { WebSocket } from "ws";

/** Content of one message: complete, or pieces created while it is sent. */
export type Message = string | Buffer | AsyncIterable<string | Uint8Array>;

export interface OutboxOptions {
  /** A message was interrupted, so nothing can be sent after it. */
  onBroken(error: unknown): void;
  /** A message in pieces, and everything queued behind it, was sent. */
  onIdle(): void;
}

const TEXT = { binary: false };
const FRAGMENT = { binary: false, fin: false };

/**
 * Sends messages sequentially. No other message may start between the pieces of one (RFC 6455, 5.4), and the next piece
 * is created when the client has read most of the last.
 */
export class Outbox {
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #options: OutboxOptions;
  /** Resolves at the end of the last queued message. */
  #sending: Promise<void> | null = null;
  #isClosed = false;
  #goOn = () => {};

  constructor(webSocket: WebSocket, socket: Socket, options: OutboxOptions) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#options = options;
  }

  /** Whether the next message has to wait. */
  get isBusy(): boolean {
    return this.#sending !== null;
  }

  /** @returns what resolves when the message is sent, or never will be; nothing where that is so already. */
  send(message: Message): Promise<void> | undefined {
    if (this.#sending === null && isWhole(message)) {
      this.#sendWhole(message);
      return undefined;
    }
    const sending = (this.#sending ?? Promise.resolve()).then(() => this.#sendInTurn(message));
    this.#sending = sending;
    void sending.then(() => {
      if (this.#sending !== sending) return;
      this.#sending = null;
      this.#options.onIdle();
    });
    return sending;
  }

  /** Must be called when the socket is writable again. */
  onDrain(): void {
    this.#goOn();
  }

  /** Sends nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#goOn();
  }

  #sendWhole(message: string | Buffer): void {
    if (!this.#isClosed) this.#webSocket.send(message, TEXT);
  }

  async #sendInTurn(message: Message): Promise<void> {
    if (isWhole(message)) {
      this.#sendWhole(message);
      return;
    }
    try {
      for await (const piece of message) {
        if (!this.#isClosed) this.#webSocket.send(piece, FRAGMENT);
        await this.#drained();
        if (this.#isClosed) return;
      }
      this.#webSocket.send("", TEXT);
    } catch (error) {
      if (!this.#isClosed) this.#options.onBroken(error);
    }
  }

  async #drained(): Promise<void> {
    if (this.#isClosed || !this.#socket.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
  }
}

function isWhole(message: Message): message is string | Buffer {
  return typeof message === "string" || Buffer.isBuffer(message);
}
