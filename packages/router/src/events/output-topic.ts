import { Backlog } from "./backlog.ts";
import type { TopicWatcher } from "./bus.ts";

/** How far subscribers may be behind the output of a terminal; bytes are those of payloads as JSON. */
export interface OutputLimits {
  /**
   * What even the fastest subscriber may have left before the terminal is paused. Enough for 10 MB/s to a client that
   * acknowledges from 50 ms away; but all else that the client is told waits behind it.
   */
  highBytes: number;
  /** At what is left the terminal goes on: its output has come before a fast client has run out of the rest. */
  lowBytes: number;
  /**
   * What may be left while another subscriber sets the pace. Subscribers share the events, so that this bounds the
   * memory for a terminal, however many of them are slow.
   */
  dropBytes: number;
  /** Milliseconds in which a subscriber has to take something if something waits for it. */
  stallMs: number;
}

export const OUTPUT_LIMITS: OutputLimits = {
  highBytes: 512 * 1_024,
  lowBytes: 128 * 1_024,
  dropBytes: 4 * 1_048_576,
  stallMs: 10_000,
};

/** The topic of one terminal: its subscribers' backlogs, and who paces the terminal by them. */
export class OutputTopic {
  readonly #limits: OutputLimits;
  readonly #backlogs = new Set<Backlog>();
  readonly #watchers = new Set<TopicWatcher>();
  #isBehind = false;
  /** Number of the last event; those before this object are taken for one. */
  lastSeq: number;

  constructor(limits: OutputLimits, seq: number) {
    this.#limits = limits;
    this.lastSeq = seq;
  }

  get isHeard(): boolean {
    return this.#backlogs.size > 0;
  }

  /** Whether nobody needs it any more. */
  get isForgotten(): boolean {
    return !this.isHeard && this.#watchers.size === 0;
  }

  /** Takes one more subscriber. */
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
    if (this.isHeard) this.strain();
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

  /** Looks whether the terminal has to wait, after output was offered to every subscriber. */
  strain(): void {
    const isBehind = [...this.#backlogs].every(({ bytes }) => bytes > this.#limits.highBytes);
    if (isBehind && this.isHeard) this.#turn(true);
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
