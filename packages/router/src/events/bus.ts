import { encodeEvent } from "./encode.ts";
import {
  type BusEvent,
  DEFAULT_TOPICS,
  type EventPayloads,
  kindOf,
  type PublishedName,
  type ServiceKind,
  type Topic,
  topicOf,
} from "./event.ts";
import { EventHistory } from "./event-history.ts";
import { OUTPUT_LIMITS, type OutputLimits } from "./output-limits.ts";
import { OutputTopics } from "./output-topics.ts";
import type { Subscriber, Subscription, TopicWatcher } from "./subscriber.ts";
import { BusSubscription } from "./subscription.ts";

/** The numbered stream of push events. */
export interface EventBus {
  /** The number of the last event. */
  readonly seq: number;
  /** Whether there are subscribers. */
  readonly hasSubscribers: boolean;
  /** @param atLeast the number that the event gets, unless there is a higher one: for streams that several servers have. */
  publish<Name extends PublishedName>(name: Name, payload: EventPayloads[Name], atLeast?: number): void;
  /** Records that events were lost before publication: subscribers that resume from before receive `events-lost`. */
  markLost(): void;
  subscribe(subscriber: Subscriber): Subscription;
  /** Watches the subscribers' progress on a terminal's topic; returns a function that stops this. */
  watch(topic: Topic, watcher: TopicWatcher): () => void;
}

export interface EventBusOptions {
  /** Version of the service (semver), sent in `hello`. */
  version: string;
  /** What the service is, sent in `hello`; default "home". */
  kind?: ServiceKind;
  /** Called for every delivered event with the delay since its publication in seconds. Not for replays. */
  onDelivered?: (seconds: number) => void;
  /** Number of events kept for replay; default 1,000. */
  ringEvents?: number;
  /** Bytes of payloads kept for replay; default 1 MiB. Agent events have the same limit separately. */
  ringBytes?: number;
  /** Limits of subscribers' backlogs of terminal output. */
  outputLimits?: Partial<OutputLimits>;
  /** Milliseconds since 1970 for the first number; default: the clock. */
  now?: () => number;
  /** The number before the first event, instead of one from the clock. */
  startsAfter?: number;
}

/**
 * Reserves numbers for 1,000 events per millisecond: after a restart, numbers continue above all earlier ones. They
 * stay exact in JSON (below 2 ** 53) until the year 2255.
 */
const NUMBERS_PER_MILLISECOND = 1_000;

/** Creates an empty stream of events whose first number comes from the clock. */
export function createEventBus(options: EventBusOptions): EventBus {
  // At most the size of a subscriber's queue: a replay fits into it.
  const { version, kind = "home", onDelivered, ringEvents = 1_000, ringBytes = 1_048_576, now = Date.now } = options;
  let seq = options.startsAfter ?? now() * NUMBERS_PER_MILLISECOND;
  const lastSeq = () => seq;
  const history = new EventHistory({ maxEvents: ringEvents, maxBytes: ringBytes }, seq);
  const outputs = new OutputTopics({ ...OUTPUT_LIMITS, ...options.outputLimits }, lastSeq);
  const subscriptions = new Set<BusSubscription>();

  const offer = (event: BusEvent): void => {
    // A copy: new subscribers start after this event.
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

    get hasSubscribers() {
      return subscriptions.size > 0;
    },

    publish(name, payload, atLeast = 0) {
      seq = Math.max(seq + 1, atLeast);
      const topic = topicOf(name, payload);
      const output = outputs.get(topic);
      if (output !== undefined) output.lastSeq = seq;
      // A terminal without subscribers may write a lot.
      if (kindOf(topic) === "terminal" && !output?.hasSubscribers) return;
      const event = encodeEvent(name, seq, payload);
      history.push(event);
      offer(event);
      output?.applyBackpressure();
    },

    markLost() {
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
        // The subscriber's own position, so that it can resume after a break during the replay.
        hello: encodeEvent("hello", replay === null ? seq : position, {
          api_version: 1,
          server_version: version,
          kind,
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
