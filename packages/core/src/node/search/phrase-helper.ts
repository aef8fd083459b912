import { receiveMessageOnPort } from "node:worker_threads";
import { openShard } from "../catalog/index-databases.ts";
import type { Segment, Segments } from "../postings/segment.ts";
import { openSegments } from "../postings/segments.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { CostBudget } from "./cost-budget.ts";
import { KEPT_CHUNKS } from "./living.ts";
import {
  ANSWERED,
  ASKED,
  type HelpSetting,
  type PhraseMatches,
  type PhraseReply,
  type PhraseRequest,
} from "./phrase-help.ts";
import { matchPhrases } from "./phrases.ts";

/**
 * Opens the later ones of the text databases.
 *
 * @returns looks for phrases in them whenever another thread asks, see `HelpingThread`, until this one is ended.
 */
export function phraseHelper(place: IndexPlace, { port, numbers, firstShard }: HelpSetting): () => never {
  const shards = new Map<number, Shard>();
  for (let shard = firstShard; shard < place.shards; shard++)
    shards.set(shard, new Shard(openShard(place, shard, true)));
  return () => {
    for (let last = 0; ; ) {
      Atomics.wait(numbers, ASKED, last);
      last = Atomics.load(numbers, ASKED);
      for (;;) {
        const request: PhraseRequest | undefined = receiveMessageOnPort(port)?.message;
        if (request === undefined) break;
        port.postMessage(replyTo(request, shards));
        Atomics.store(numbers, ANSWERED, request.id);
        Atomics.notify(numbers, ANSWERED);
      }
    }
  };
}

function replyTo({ id, phrases, segments, steps }: PhraseRequest, shards: ReadonlyMap<number, Shard>): PhraseReply {
  const budget = new CostBudget(steps);
  const found = segments.map(({ shard, segment, mask }) => {
    try {
      return shards.get(shard)?.match(segment, phrases, mask, budget) ?? null;
    } catch {
      // Whoever asks looks into it without help, and meets what keeps it from being read.
      return null;
    }
  });
  return { id, segments: found, steps: steps - budget.left, isComplete: budget.isComplete };
}

/** A text database. */
class Shard {
  readonly #database: SqliteDatabase;
  readonly #segments: Segments;
  readonly #version;
  #seen: unknown = null;
  /** With the lengths of its documents, which are forgotten otherwise. */
  #known = new Map<number, { segment: Segment; lengths: Uint32Array }>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#segments = openSegments(database, KEPT_CHUNKS);
    this.#version = database.prepare("PRAGMA data_version").pluck();
    database.transaction(() => this.#refresh()).deferred();
  }

  /** `null` where there is no such segment any more, or not yet. */
  match(id: number, phrases: PhraseRequest["phrases"], mask: Uint32Array, budget: CostBudget): PhraseMatches | null {
    return this.#database
      .transaction(() => {
        this.#refresh();
        const known = this.#known.get(id);
        if (known === undefined) return null;
        const found: number[] = [];
        const most = matchPhrases(known.segment, phrases, mask, budget, (document, frequency) => {
          found.push(document, frequency);
        });
        return { found: Uint32Array.from(found), most };
      })
      .deferred();
  }

  #refresh(): void {
    const version = this.#version.get();
    if (version === this.#seen) return;
    this.#known = new Map(
      this.#segments.refresh().map((segment) => [segment.id, { segment, lengths: segment.lengths }]),
    );
    this.#seen = version;
  }
}
