import type { Subscriber, Subscription } from "./bus.ts";
import { encodeEvent } from "./encode.ts";
import { type BusEvent, DEFAULT_TOPICS, EVENT_TOPICS, type EventName, type Topic } from "./event.ts";

/** A subscriber that takes nothing may leave this much behind; with one event more, all of it is dropped. */
export const MAX_QUEUED_EVENTS = 1_000;
export const MAX_QUEUED_BYTES = 1_048_576;

export interface SubscriptionStart {
  hello: BusEvent;
  /** Comes after `hello`; `null` where it is gone. */
  replay: readonly BusEvent[] | null;
  /** Is told, for every event that is no replay, how many seconds after it was published it was taken. */
  onDelivered: ((seconds: number) => void) | undefined;
  onClose: () => void;
}

/** One subscriber's place in the stream. */
export class BusSubscription implements Subscription {
  readonly topics: Set<Topic>;
  readonly #subscriber: Subscriber;
  readonly #onDelivered: SubscriptionStart["onDelivered"];
  readonly #onClose: SubscriptionStart["onClose"];
  readonly #startedAt: number;
  /** Empty whenever the subscriber takes events. */
  #queue: BusEvent[] = [];
  #queuedBytes = 0;
  #ready = false;
  #closed = false;

  constructor(subscriber: Subscriber, { hello, replay, onDelivered, onClose }: SubscriptionStart) {
    this.topics = new Set(subscriber.topics ?? DEFAULT_TOPICS);
    this.#subscriber = subscriber;
    this.#onDelivered = onDelivered;
    this.#onClose = onClose;
    this.#startedAt = hello.publishedAt;
    this.#setQueue([hello, ...(replay?.filter((event) => this.#wants(event)) ?? [eventsLost(hello.seq)])]);
  }

  /** Hands on an event that was just published, now or later. */
  offer(event: BusEvent): void {
    if (!this.#wants(event)) return;
    this.#queue.push(event);
    this.#queuedBytes += event.bytes;
    this.#drain();
    if (this.#queue.length > MAX_QUEUED_EVENTS || this.#queuedBytes > MAX_QUEUED_BYTES) {
      this.#setQueue([eventsLost(event.seq)]);
    }
  }

  add(topics: Iterable<Topic>): void {
    for (const topic of topics) this.topics.add(topic);
  }

  remove(topics: Iterable<Topic>): void {
    for (const topic of topics) this.topics.delete(topic);
    this.#setQueue(this.#queue.filter((event) => this.#wants(event)));
  }

  resume(): void {
    this.#ready = true;
    this.#drain();
  }

  close(): void {
    this.#closed = true;
    this.#setQueue([]);
    this.#onClose();
  }

  #wants({ name }: BusEvent): boolean {
    const topic = (EVENT_TOPICS as Partial<Record<EventName, Topic>>)[name];
    return topic === undefined || this.topics.has(topic);
  }

  #drain(): void {
    while (this.#ready && !this.#closed) {
      const event = this.#queue.shift();
      if (event === undefined) return;
      this.#queuedBytes -= event.bytes;
      this.#deliver(event);
    }
  }

  #deliver(event: BusEvent): void {
    try {
      this.#ready = this.#subscriber.send(event);
    } catch {
      // A defect of one connection must not keep the event from the others.
      this.close();
      return;
    }
    if (event.publishedAt > this.#startedAt) this.#onDelivered?.((performance.now() - event.publishedAt) / 1_000);
  }

  #setQueue(queue: BusEvent[]): void {
    this.#queue = queue;
    this.#queuedBytes = queue.reduce((bytes, event) => bytes + event.bytes, 0);
  }
}

function eventsLost(seq: number): BusEvent {
  return encodeEvent("events-lost", seq, {});
}
