import type { Backlog } from "./backlog.ts";
import { encodeEvent } from "./encode.ts";
import { type BusEvent, kindOf, type Topic } from "./event.ts";
import { Fifo } from "./fifo.ts";
import type { OutputTopics } from "./output-topics.ts";
import type { Subscriber, Subscription } from "./subscriber.ts";

/**
 * Queue limit of a subscriber that reads nothing; one more event drops the whole queue. Terminal output has separate
 * limits.
 */
export const MAX_QUEUED_EVENTS = 1_000;
export const MAX_QUEUED_BYTES = 1_048_576;

export interface SubscriptionStart {
  topics: ReadonlySet<Topic>;
  hello: BusEvent;
  /** Sent after `hello`; `null` if no longer available. */
  replay: readonly BusEvent[] | null;
  outputs: OutputTopics;
  /** Returns the number of the last event. */
  lastSeq: () => number;
  /** Called for every delivered event, except replays, with the delay since its publication in seconds. */
  onDelivered: ((seconds: number) => void) | undefined;
  onClose: () => void;
}

/** One subscriber's position in the stream. */
export class BusSubscription implements Subscription {
  readonly topics = new Set<Topic>();
  readonly #subscriber: Subscriber;
  readonly #start: SubscriptionStart;
  /** By topics of terminals. */
  readonly #backlogs = new Map<Topic, Backlog>();
  /** Empty while the subscriber accepts events. */
  readonly #queue = new Fifo<BusEvent>();
  /** Queued events, without terminal output. */
  #queuedEvents = 0;
  #queuedBytes = 0;
  #ready = false;
  #closed = false;
  /** Time of the last delivered event, as `performance.now()`. */
  #takenAt = 0;
  /** Active while output waits for the subscriber. */
  #stallTimer: NodeJS.Timeout | null = null;

  constructor(subscriber: Subscriber, start: SubscriptionStart) {
    const { hello, replay, topics } = start;
    this.#subscriber = subscriber;
    this.#start = start;
    this.add(topics);
    for (const event of [hello, ...(replay ?? [eventsLost(hello.seq)])]) this.#enqueue(event);
  }

  /** Delivers or queues a published event. */
  offer(event: BusEvent): void {
    if (!this.#wants(event)) return;
    this.#enqueue(event);
    this.#drain();
    const { topic } = event;
    const backlog = this.#backlogOf(event);
    if (topic === null || backlog === undefined) this.#boundQueue();
    else if (backlog.isTooLarge) this.#markLost(topic);
    else if (backlog.isWaiting) this.#awaitProgress();
  }

  add(topics: Iterable<Topic>): void {
    for (const topic of topics) {
      if (this.topics.has(topic)) continue;
      this.topics.add(topic);
      if (kindOf(topic) === "terminal") this.#backlogs.set(topic, this.#start.outputs.join(topic));
    }
  }

  remove(topics: Iterable<Topic>): void {
    for (const topic of topics) {
      this.topics.delete(topic);
      const backlog = this.#backlogs.get(topic);
      this.#backlogs.delete(topic);
      if (backlog !== undefined) this.#start.outputs.leave(topic, backlog);
    }
    this.#dequeue((event) => !this.#wants(event));
  }

  acknowledge(topic: Topic, outputSeq: number): void {
    this.#backlogs.get(topic)?.acknowledge(outputSeq);
  }

  resume(): void {
    this.#ready = true;
    this.#drain();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.remove([...this.topics]);
    this.#dequeue(() => true);
    clearTimeout(this.#stallTimer ?? undefined);
    this.#start.onClose();
  }

  #wants({ topic }: BusEvent): boolean {
    return topic === null || this.topics.has(topic);
  }

  #drain(): void {
    while (this.#ready && !this.#closed) {
      const event = this.#queue.shift();
      if (event === undefined) return;
      this.#count(event, -1);
      this.#deliver(event);
    }
  }

  #deliver(event: BusEvent): void {
    try {
      this.#ready = this.#subscriber.send(event);
    } catch {
      // A defect in one connection must not keep the event from the others.
      this.close();
      return;
    }
    const now = performance.now();
    this.#takenAt = now;
    if (event.outputSeq !== null) this.#backlogOf(event)?.send({ seq: event.outputSeq, bytes: event.bytes });
    const { hello, onDelivered } = this.#start;
    if (event.publishedAt > hello.publishedAt) onDelivered?.((now - event.publishedAt) / 1_000);
  }

  #backlogOf({ topic, outputSeq }: BusEvent): Backlog | undefined {
    return topic === null || outputSeq === null ? undefined : this.#backlogs.get(topic);
  }

  #enqueue(event: BusEvent): void {
    this.#queue.push(event);
    const backlog = this.#backlogOf(event);
    if (backlog === undefined) this.#count(event, 1);
    else backlog.queue(event.bytes);
  }

  #dequeue(isUnwanted: (event: BusEvent) => boolean): void {
    this.#queue.keep((event) => {
      if (!isUnwanted(event)) return true;
      this.#count(event, -1);
      return false;
    });
  }

  /** Output is counted by its backlog. */
  #count({ bytes, outputSeq }: BusEvent, sign: 1 | -1): void {
    if (outputSeq !== null) return;
    this.#queuedEvents += sign;
    this.#queuedBytes += sign * bytes;
  }

  #boundQueue(): void {
    if (this.#queuedEvents <= MAX_QUEUED_EVENTS && this.#queuedBytes <= MAX_QUEUED_BYTES) return;
    this.#dequeue(({ outputSeq }) => outputSeq === null);
    this.#sendEventsLost();
  }

  #markLost(topic: Topic): void {
    this.remove([topic]);
    this.#sendEventsLost();
  }

  /** Sent once: the last one covers all losses. */
  #sendEventsLost(): void {
    this.#dequeue(({ name }) => name === "events-lost");
    this.#enqueue(eventsLost(this.#start.lastSeq()));
    this.#drain();
  }

  #awaitProgress(milliseconds = this.#start.outputs.limits.stallMs): void {
    this.#stallTimer ??= setTimeout(() => this.#dropStalled(), milliseconds).unref();
  }

  #dropStalled(): void {
    const { stallMs } = this.#start.outputs.limits;
    const now = performance.now();
    this.#stallTimer = null;
    let soonest = Number.POSITIVE_INFINITY;
    for (const [topic, backlog] of this.#backlogs) {
      if (!backlog.isWaiting) continue;
      const left = stallMs - backlog.stalledFor(now, this.#takenAt);
      if (left <= 0) this.#markLost(topic);
      else soonest = Math.min(soonest, left);
    }
    if (soonest < stallMs) this.#awaitProgress(soonest);
  }
}

function eventsLost(seq: number): BusEvent {
  return encodeEvent("events-lost", seq, {});
}
