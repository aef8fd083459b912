import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Phrase } from "../../search/query-tree.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { Thread } from "../threads/thread.ts";
import { type Bitset, isEmpty } from "./bitset.ts";
import type { CostBudget } from "./cost-budget.ts";
import type { LivingSegment } from "./living.ts";
import {
  ANSWERED,
  ASKED,
  type HelpedPhrases,
  NO_HELP,
  NOTHING_HELPED,
  type PhraseHelp,
  type PhraseMatches,
  type PhraseReply,
  type PhraseRequest,
} from "./phrase-help.ts";
import type { SearchTasks } from "./search-tasks.ts";
import type { SegmentView } from "./view.ts";

/** In fewer documents, a phrase is found in the time that it takes to ask another thread: half a millisecond. */
const LEAST_DOCUMENTS = 100_000;
/** With more, the other thread takes some 80 MB, of the 600 that the service may take at all. */
const MOST_DOCUMENTS = 1_000_000;
/** The most expensive search takes less than a second: after this, the other thread is taken for lost. */
const LONGEST_MS = 5_000;

/** Other limits than the usual ones. */
export interface HelpLimits {
  /** Documents that there are at least where the other thread would look. */
  leastDocuments?: number;
  /** And at most. */
  mostDocuments?: number;
  /** Milliseconds until the other thread is taken for lost. */
  longest?: number;
}

/**
 * Another thread that looks for phrases in the later half of the text databases while this one looks in the others.
 * Where it cannot, or not yet, this one looks in all.
 */
export class HelpingThread {
  readonly #place: IndexPlace;
  /** The first one of the text databases in which the other thread looks. */
  readonly #firstShard: number;
  readonly #leastDocuments: number;
  readonly #mostDocuments: number;
  readonly #longest: number;
  readonly #numbers = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  /** What the other thread sees of masks, which takes less time than to send them. */
  readonly #shared = new WeakMap<SegmentView, Bitset>();
  #state: "none" | "wanted" | "starting" | "lost" = "none";
  #port: MessagePort | null = null;
  #lastId = 0;

  constructor(
    place: IndexPlace,
    { leastDocuments = LEAST_DOCUMENTS, mostDocuments = MOST_DOCUMENTS, longest = LONGEST_MS }: HelpLimits = {},
  ) {
    this.#place = place;
    this.#firstShard = Math.ceil(place.shards / 2);
    this.#leastDocuments = leastDocuments;
    this.#mostDocuments = mostDocuments;
    this.#longest = longest;
  }

  /** Whether it would help, if it was started. */
  get isWanted(): boolean {
    return this.#state === "wanted";
  }

  /**
   * Starts the thread, unless that was tried before: it takes some 100 ms, while this one is free for searches.
   *
   * @throws IndexError where a text database is gone, or the error of a thread that died.
   */
  async start(): Promise<void> {
    if (this.#state !== "none" && this.#state !== "wanted") return;
    this.#state = "starting";
    const { port1, port2 } = new MessageChannel();
    const setting = { port: port2, numbers: this.#numbers, firstShard: this.#firstShard };
    await new Thread<SearchTasks>({ index: this.#place }).run("help", setting, { transfer: [port2] });
    this.#port = port1;
  }

  /** @param shards what a search looks in, by text database. */
  over(shards: readonly (readonly LivingSegment[])[]): PhraseHelp {
    const places = new Map<SegmentView, { shard: number; segment: number }>();
    let documents = 0;
    for (const [shard, segments] of shards.entries()) {
      if (shard < this.#firstShard) continue;
      for (const { view } of segments) {
        places.set(view, { shard, segment: view.segment.id });
        documents += view.documents.count;
      }
    }
    if (documents < this.#leastDocuments || documents > this.#mostDocuments) return NO_HELP;
    if (this.#state === "none") this.#state = "wanted";
    return { begin: (phrases, views, masks, budget) => this.#begin(phrases, views, masks, budget, places) };
  }

  #begin(
    phrases: readonly Phrase[],
    views: readonly SegmentView[],
    masks: readonly Bitset[],
    budget: CostBudget,
    places: ReadonlyMap<SegmentView, { shard: number; segment: number }>,
  ): HelpedPhrases {
    const port = this.#port;
    if (port === null || !phrases.some(({ terms }) => terms.length > 1)) return NOTHING_HELPED;
    const segments: PhraseRequest["segments"] = [];
    const asked: number[] = [];
    for (const [number, view] of views.entries()) {
      const place = places.get(view);
      const mask = masks[number];
      if (place === undefined || mask === undefined || isEmpty(mask)) continue;
      segments.push({ ...place, mask: this.#share(view, mask) });
      asked.push(number);
    }
    if (segments.length === 0) return NOTHING_HELPED;
    const id = ++this.#lastId;
    port.postMessage({ id, phrases, segments, steps: budget.left } satisfies PhraseRequest);
    Atomics.store(this.#numbers, ASKED, id);
    Atomics.notify(this.#numbers, ASKED);
    let matches: ReadonlyMap<number, PhraseMatches | null> | null = null;
    return {
      take: (place, onMatch) => {
        if (!asked.includes(place)) return null;
        matches ??= this.#wait(port, id, asked, budget);
        const ofSegment = matches.get(place) ?? null;
        if (ofSegment === null) return null;
        const { found, most } = ofSegment;
        // Casts: a document is followed by how often it has a phrase.
        for (let at = 0; at < found.length; at += 2) onMatch(found[at] as number, found[at + 1] as number);
        return most;
      },
    };
  }

  #share(view: SegmentView, mask: Bitset): Bitset {
    let shared = this.#shared.get(view);
    if (shared === undefined) {
      shared = new Uint32Array(new SharedArrayBuffer(mask.byteLength));
      this.#shared.set(view, shared);
    }
    shared.set(mask);
    return shared;
  }

  /** Waits for a reply: this thread has nothing else to do. */
  #wait(
    port: MessagePort,
    id: number,
    asked: readonly number[],
    budget: CostBudget,
  ): ReadonlyMap<number, PhraseMatches | null> {
    for (;;) {
      const last = Atomics.load(this.#numbers, ANSWERED);
      if (last === id) break;
      if (Atomics.wait(this.#numbers, ANSWERED, last, this.#longest) !== "timed-out") continue;
      this.#state = "lost";
      this.#port = null;
      return new Map();
    }
    for (;;) {
      // What comes in by this port are replies, that to a search that failed meanwhile among them.
      const reply = receiveMessageOnPort(port)?.message as PhraseReply | undefined;
      if (reply === undefined) return new Map();
      if (reply.id !== id) continue;
      budget.spend(reply.steps);
      if (!reply.isComplete) budget.leaveOut();
      return new Map(asked.map((place, at) => [place, reply.segments[at] ?? null]));
    }
  }
}
