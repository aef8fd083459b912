import type { Subscription, Topic } from "@sm/router/events";

/** A subscription to a stream that is not there yet. What is asked of it before is done when it is. */
export class LaterSubscription implements Subscription {
  #subscription: Subscription | null = null;
  #waiting: ((subscription: Subscription) => void)[] = [];
  #isClosed = false;

  /** @param begins rejects where there will be no stream, as when the service ends. */
  constructor(begins: Promise<() => Subscription>) {
    begins.then(
      (subscribe) => this.#begin(subscribe),
      () => undefined,
    );
  }

  get topics(): ReadonlySet<Topic> {
    return this.#subscription?.topics ?? new Set();
  }

  add(topics: Iterable<Topic>): void {
    const all = [...topics];
    this.#do((subscription) => subscription.add(all));
  }

  remove(topics: Iterable<Topic>): void {
    const all = [...topics];
    this.#do((subscription) => subscription.remove(all));
  }

  acknowledge(topic: Topic, outputSeq: number): void {
    this.#do((subscription) => subscription.acknowledge(topic, outputSeq));
  }

  resume(): void {
    this.#do((subscription) => subscription.resume());
  }

  close(): void {
    this.#isClosed = true;
    this.#subscription?.close();
  }

  #begin(subscribe: () => Subscription): void {
    if (this.#isClosed) return;
    this.#subscription = subscribe();
    for (const action of this.#waiting) action(this.#subscription);
    this.#waiting = [];
  }

  #do(action: (subscription: Subscription) => void): void {
    if (this.#subscription === null) this.#waiting.push(action);
    else action(this.#subscription);
  }
}
