import type { BusEvent, Topic } from "./event.ts";

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
  /**
   * Says that output of a terminal up to this number has arrived. From the first time on, what was sent and has not
   * arrived counts as left behind.
   */
  acknowledge(topic: Topic, outputSeq: number): void;
  /** Says that the subscriber can take events again. */
  resume(): void;
  close(): void;
}

/** Who paces the output of a terminal. Neither callback may publish before it returns. */
export interface TopicWatcher {
  /** Is told when even the fastest subscriber has much left to take (`true`), and when one has little again. */
  onBehind(isBehind: boolean): void;
  /** Is told how many subscribe to the topic: at once, and when that changes. */
  onAudience(subscribers: number): void;
}
