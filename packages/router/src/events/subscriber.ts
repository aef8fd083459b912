import type { Caller } from "../caller.ts";
import type { BusEvent, Topic } from "./event.ts";

/** A connection as seen by the bus. */
export interface Subscriber {
  /** Initial topics; default: the default topics. */
  topics?: Iterable<Topic>;
  /** Replays events after this number, as far as they are kept. */
  afterSeq?: number | null;
  /** Delivers an event, `hello` first; `false` pauses delivery until `resume` is called. Must not throw. */
  send(event: BusEvent): boolean;
}

/** Where connections subscribe. On a hub, each user has a stream of events of their own. */
export interface EventSource {
  subscribe(subscriber: Subscriber, caller: Caller): Subscription;
}

export interface Subscription {
  /** In order of subscription. */
  readonly topics: ReadonlySet<Topic>;
  add(topics: Iterable<Topic>): void;
  remove(topics: Iterable<Topic>): void;
  /**
   * Records that terminal output up to this number has arrived. After the first call, sent but unacknowledged output
   * counts as unread.
   */
  acknowledge(topic: Topic, outputSeq: number): void;
  /** Resumes delivery. */
  resume(): void;
  close(): void;
}

/** Watches subscribers to control the output of a terminal. The callbacks must not publish synchronously. */
export interface TopicWatcher {
  /**
   * Called with `true` when even the fastest subscriber has much unread output, with `false` when one has little again.
   */
  onBehind(isBehind: boolean): void;
  /** Called with the number of subscribers: immediately, and when it changes. */
  onAudience(subscribers: number): void;
}
