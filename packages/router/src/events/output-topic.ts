import { Backlog } from "./backlog.ts";
import type { OutputLimits } from "./output-limits.ts";
import type { TopicWatcher } from "./subscriber.ts";

/** The topic of one terminal: the backlogs of its subscribers, and flow control by them. */
export class OutputTopic {
  readonly #limits: OutputLimits;
  readonly #backlogs = new Set<Backlog>();
  readonly #watchers = new Set<TopicWatcher>();
  #isBehind = false;
  /** Number of the last event; events before this object was created count as one. */
  lastSeq: number;

  constructor(limits: OutputLimits, seq: number) {
    this.#limits = limits;
    this.lastSeq = seq;
  }

  get hasSubscribers(): boolean {
    return this.#backlogs.size > 0;
  }

  /** Whether it can be discarded. */
  get isUnused(): boolean {
    return !this.hasSubscribers && this.#watchers.size === 0;
  }

  /** Adds a subscriber. */
  join(): Backlog {
    const backlog = new Backlog(this.#limits, () => this.#ease(backlog));
    this.#backlogs.add(backlog);
    this.#tellAudience();
    this.#ease(backlog);
    return backlog;
  }

  leave(backlog: Backlog): void {
    if (!this.#backlogs.delete(backlog)) return;
    this.#tellAudience();
    if (this.hasSubscribers) this.applyBackpressure();
    else this.#turn(false);
  }

  watch(watcher: TopicWatcher): void {
    this.#watchers.add(watcher);
    watcher.onAudience(this.#backlogs.size);
    if (this.#isBehind) watcher.onBehind(true);
  }

  unwatch(watcher: TopicWatcher): void {
    this.#watchers.delete(watcher);
  }

  /** Pauses the terminal if necessary, after output was offered to all subscribers. */
  applyBackpressure(): void {
    const isBehind = [...this.#backlogs].every(({ bytes }) => bytes > this.#limits.highBytes);
    if (isBehind && this.hasSubscribers) this.#turn(true);
  }

  #ease({ bytes }: Backlog): void {
    if (this.#isBehind && bytes < this.#limits.lowBytes) this.#turn(false);
  }

  #turn(isBehind: boolean): void {
    if (this.#isBehind === isBehind) return;
    this.#isBehind = isBehind;
    for (const watcher of this.#watchers) watcher.onBehind(isBehind);
  }

  #tellAudience(): void {
    for (const watcher of this.#watchers) watcher.onAudience(this.#backlogs.size);
  }
}
