import { encodeEvent } from "./encode.ts";
import type { BusEvent, EventPayloads, PublishedName, Topic } from "./event.ts";
import { EventRing } from "./ring.ts";
import { BusSubscription } from "./subscription.ts";

/** A connection as the bus sees it. */
export interface Subscriber {
  /** The first topics; the default ones if absent. */
  topics?: Iterable<Topic>;
  /** Replays what came after this number, as far as it is still there. */
  afterSeq?: number | null;
  /**
   * Takes an event, `hello` first; `false` when it wants no more until `resume` is called. Must not throw.
   */
  send(event: BusEvent): boolean;
}

export interface Subscription {
  /** In the order in which they were added. */
  readonly topics: ReadonlySet<Topic>;
  add(topics: Iterable<Topic>): void;
  remove(topics: Iterable<Topic>): void;
  /** Says that the subscriber can take events again. */
  resume(): void;
  close(): void;
}

/** The one numbered stream of push events. */
export interface EventBus {
  /** The number of the last event. */
  readonly seq: number;
  /** Whether anybody is subscribed. */
  readonly isHeard: boolean;
  publish<Name extends PublishedName>(name: Name, payload: EventPayloads[Name]): void;
  /** Says that events were not published, which nobody can get any more: who asks for them hears `events-lost`. */
  lose(): void;
  subscribe(subscriber: Subscriber): Subscription;
}

export interface EventBusOptions {
  /** Version of the service (semver), told in `hello`. */
  version: string;
  /** Is told, for every event that a subscriber takes, how many seconds after it was published. Not for replays. */
  onDelivered?: (seconds: number) => void;
  /** Events that can be replayed; 1,000 if absent. */
  ringEvents?: number;
  /** Bytes of payloads that can be replayed; 1 MiB if absent. */
  ringBytes?: number;
  /** Milliseconds since 1970, from which the first number is made; the clock if absent. */
  now?: () => number;
}

/**
 * Numbers for 1,000 events a millisecond: a service that restarts goes on above all of its earlier numbers. They stay
 * exact in JSON (below 2 ** 53) until the year 2255.
 */
const NUMBERS_PER_MILLISECOND = 1_000;

/** Makes a stream of events that starts empty, at a number made from the clock. */
export function createEventBus(options: EventBusOptions): EventBus {
  // Bounds like those of a subscriber's queue: a replay fits into it.
  const { version, onDelivered, ringEvents = 1_000, ringBytes = 1_048_576, now = Date.now } = options;
  const ring = new EventRing(ringEvents, ringBytes);
  const subscriptions = new Set<BusSubscription>();
  let seq = now() * NUMBERS_PER_MILLISECOND;

  const offer = (event: BusEvent): void => {
    // A copy: who subscribes meanwhile starts after this event.
    for (const subscription of [...subscriptions]) subscription.offer(event);
  };

  return {
    get seq() {
      return seq;
    },

    get isHeard() {
      return subscriptions.size > 0;
    },

    publish(name, payload) {
      seq += 1;
      const event = encodeEvent(name, seq, payload);
      ring.push(event);
      offer(event);
    },

    lose() {
      seq += 1;
      ring.clear();
      offer(encodeEvent("events-lost", seq, {}));
    },

    subscribe(subscriber) {
      const position = subscriber.afterSeq ?? seq;
      const replay = ring.after(position, seq);
      const subscription = new BusSubscription(subscriber, {
        // Its own number is where the stream goes on: who breaks off during a replay asks for the rest of it.
        hello: encodeEvent("hello", replay === null ? seq : position, {
          api_version: 1,
          server_version: version,
          seq,
        }),
        replay,
        onDelivered,
        onClose() {
          subscriptions.delete(subscription);
        },
      });
      subscriptions.add(subscription);
      subscription.resume();
      return subscription;
    },
  };
}
