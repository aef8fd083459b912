import { encodeEvent } from "./encode.ts";
import {
  type BusEvent,
  DEFAULT_TOPICS,
  type EventPayloads,
  kindOf,
  type PublishedName,
  type Topic,
  topicOf,
} from "./event.ts";
import { EventHistory } from "./history.ts";
import { OUTPUT_LIMITS, type OutputLimits } from "./output-limits.ts";
import { OutputTopics } from "./output-topics.ts";
import type { Subscriber, Subscription, TopicWatcher } from "./subscriber.ts";
import { BusSubscription } from "./subscription.ts";

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
  /** Follows how a topic of a terminal is taken; returns a function that stops that. */
  watch(topic: Topic, watcher: TopicWatcher): () => void;
}

export interface EventBusOptions {
  /** Version of the service (semver), told in `hello`. */
  version: string;
  /** Is told, for every event that a subscriber takes, how many seconds after it was published. Not for replays. */
  onDelivered?: (seconds: number) => void;
  /** Events that can be replayed; 1,000 if absent. */
  ringEvents?: number;
  /** Bytes of payloads that can be replayed; 1 MiB if absent. Of what agents say, as much again. */
  ringBytes?: number;
  /** How far subscribers may be behind the output of terminals. */
  outputLimits?: Partial<OutputLimits>;
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
  let seq = now() * NUMBERS_PER_MILLISECOND;
  const lastSeq = () => seq;
  const history = new EventHistory({ maxEvents: ringEvents, maxBytes: ringBytes }, seq);
  const outputs = new OutputTopics({ ...OUTPUT_LIMITS, ...options.outputLimits }, lastSeq);
  const subscriptions = new Set<BusSubscription>();

  const offer = (event: BusEvent): void => {
    // A copy: who subscribes meanwhile starts after this event.
    for (const subscription of [...subscriptions]) subscription.offer(event);
  };

  const replayAfter = (position: number, topics: ReadonlySet<Topic>): BusEvent[] | null => {
    const isToCome = position > seq;
    return isToCome || outputs.hadEventsAfter(position, topics) ? null : history.after(position, topics);
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
      const topic = topicOf(name, payload);
      const output = outputs.get(topic);
      if (output !== undefined) output.lastSeq = seq;
      // A terminal that nobody sees may write a lot.
      if (kindOf(topic) === "terminal" && !output?.isHeard) return;
      const event = encodeEvent(name, seq, payload);
      history.push(event);
      offer(event);
      output?.strain();
    },

    lose() {
      seq += 1;
      history.clear(seq);
      offer(encodeEvent("events-lost", seq, {}));
    },

    subscribe(subscriber) {
      const topics = new Set(subscriber.topics ?? DEFAULT_TOPICS);
      const position = subscriber.afterSeq ?? seq;
      const replay = replayAfter(position, topics);
      const subscription = new BusSubscription(subscriber, {
        topics,
        // Its own number is where the stream goes on: who breaks off during a replay asks for the rest of it.
        hello: encodeEvent("hello", replay === null ? seq : position, {
          api_version: 1,
          server_version: version,
          seq,
        }),
        replay,
        outputs,
        lastSeq,
        onDelivered,
        onClose() {
          subscriptions.delete(subscription);
        },
      });
      subscriptions.add(subscription);
      subscription.resume();
      return subscription;
    },

    watch: (topic, watcher) => outputs.watch(topic, watcher),
  };
}
