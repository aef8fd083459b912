import type { ServerResponse } from "node:http";
import type { Caller } from "@sm/router";
import type { Gate } from "@sm/router/access";
import type { BusEvent, EventSource, Subscriber, Subscription, Topic } from "@sm/router/events";
import { eventText } from "./event-text.ts";
import type { StreamRequest } from "./stream-request.ts";

/** Shared by all connections. */
export interface StreamContext {
  bus: EventSource;
  gate: Pick<Gate, "onEnd">;
  /** Milliseconds in which a full connection must make progress. */
  stallMs: number;
  onClose(connection: StreamConnection): void;
}

const COMMENT = ": still here\n\n";

/** One stream, from headers to end. For a client that does not read, events are queued by the bus, with limits. */
export class StreamConnection implements Subscriber {
  readonly afterSeq: number | null;
  readonly topics: readonly Topic[];
  readonly #outgoing: ServerResponse;
  #subscription: Subscription | null = null;
  readonly #stopWatching: () => void;

  constructor(outgoing: ServerResponse, request: StreamRequest, caller: Caller, context: StreamContext) {
    this.afterSeq = request.afterSeq;
    this.topics = request.topics;
    this.#outgoing = outgoing;
    this.#stopWatching = context.gate.onEnd(caller, () => this.end());
    this.#subscription = context.bus.subscribe(this, caller);
    outgoing.on("drain", () => this.#subscription?.resume());
    outgoing.on("close", () => {
      this.#release();
      context.onClose(this);
    });
    // Sending a comment counts as activity, and so does progress within a large write.
    outgoing.setTimeout(context.stallMs, () => outgoing.destroy());
  }

  send(event: BusEvent): boolean {
    const takesMore = this.#outgoing.write(eventText(event));
    // Topics removed by the bus cannot be restored on this connection: the client reconnects.
    if (event.name === "events-lost" && this.#hasLostTopic) this.end();
    return takesMore;
  }

  /** Sends a comment to keep proxies from closing the stream. */
  beat(): void {
    const { writableEnded, writableNeedDrain } = this.#outgoing;
    if (!writableEnded && !writableNeedDrain) this.#outgoing.write(COMMENT);
  }

  end(): void {
    this.#release();
    this.#outgoing.end();
  }

  get #hasLostTopic(): boolean {
    const on = this.#subscription?.topics;
    return on !== undefined && this.topics.some((topic) => !on.has(topic));
  }

  #release(): void {
    this.#stopWatching();
    this.#subscription?.close();
  }
}
