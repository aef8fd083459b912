import type { Backlog } from "./backlog.ts";
import { kindOf, type Topic } from "./event.ts";
import type { OutputLimits } from "./output-limits.ts";
import { OutputTopic } from "./output-topic.ts";
import type { TopicWatcher } from "./subscriber.ts";

/** Topics of terminals with subscribers or watchers. */
export class OutputTopics {
  readonly limits: OutputLimits;
  readonly #lastSeq: () => number;
  readonly #topics = new Map<Topic, OutputTopic>();

  /** `lastSeq` returns the number of the last event. */
  constructor(limits: OutputLimits, lastSeq: () => number) {
    this.limits = limits;
    this.#lastSeq = lastSeq;
  }

  get(topic: Topic): OutputTopic | undefined {
    return this.#topics.get(topic);
  }

  /** Adds a subscriber. */
  join(topic: Topic): Backlog {
    return this.#open(topic).join();
  }

  leave(topic: Topic, backlog: Backlog): void {
    this.#change(topic, (found) => found.leave(backlog));
  }

  /** Adds a watcher; returns a function that removes it. */
  watch(topic: Topic, watcher: TopicWatcher): () => void {
    this.#open(topic).watch(watcher);
    return () => this.#change(topic, (found) => found.unwatch(watcher));
  }

  /** Whether one of these topics had events after a number; assumed for terminals that no longer exist. */
  hadEventsAfter(seq: number, topics: ReadonlySet<Topic>): boolean {
    const lastSeq = (topic: Topic) => this.#topics.get(topic)?.lastSeq ?? this.#lastSeq();
    return [...topics].some((topic) => kindOf(topic) === "terminal" && lastSeq(topic) > seq);
  }

  #open(topic: Topic): OutputTopic {
    const known = this.#topics.get(topic);
    if (known !== undefined) return known;
    const opened = new OutputTopic(this.limits, this.#lastSeq());
    this.#topics.set(topic, opened);
    return opened;
  }

  #change(topic: Topic, change: (found: OutputTopic) => void): void {
    const found = this.#topics.get(topic);
    if (found === undefined) return;
    change(found);
    if (found.isUnused) this.#topics.delete(topic);
  }
}
