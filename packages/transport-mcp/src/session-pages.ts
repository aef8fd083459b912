import type { TranscriptItem, TranscriptPage } from "@sm/core";
import { call } from "./commands.ts";
import type { McpContext } from "./context.ts";

export type Item = TranscriptItem;

/** Entries read at once: mostly as many as an answer has room for, and not much for the main thread to parse. */
export const PAGE = 8;
/** Where these were not enough, as for a summary, each further page is twice as large, up to this. */
const LARGEST_PAGE = 64;
/** More entries without a text are not passed over for one answer. */
const MOST_ENTRIES = 200;

/** The entries of one session, read in pages as long as there is room for them. For one answer. */
export class SessionPages {
  readonly #path: string;
  readonly #context: McpContext;
  #endedEarly = false;
  /** Pages that were read ahead, by what they follow or end with: most answers need them, too. */
  readonly #behind = new Map<string, Items>();
  readonly #upTo = new Map<string | null, Items>();

  constructor(path: string, context: McpContext) {
    this.#path = path;
    this.#context = context;
  }

  /** Whether the entries that were read last are not all there are, as no more are read at once. */
  get endedEarly(): boolean {
    return this.#endedEarly;
  }

  /**
   * What the newest branch ends with, and how many entries it has: another one after every change. Reads ahead.
   *
   * @param after an entry behind which the answer goes on; `null`: it has the end of the branch.
   */
  async revision(after: string | null): Promise<string> {
    if (after !== null) {
      const page = await orNull(this.#page({ after, limit: PAGE }));
      if (page !== null) {
        this.#behind.set(after, page);
        return revisionOf(page);
      }
    }
    const page = await this.#page({ limit: PAGE });
    this.#upTo.set(null, page);
    return revisionOf(page);
  }

  /**
   * One entry, on whatever branch; `null` if the session has none of this id.
   *
   * @param ahead how many entries before it are read as well.
   */
  async entry(id: string, ahead = 0): Promise<Item | null> {
    const page = await orNull(this.#page({ leaf_id: id, limit: ahead + 1 }));
    const last = page?.items.at(-1);
    if (page === null || last === undefined || last.id !== id) return null;
    if (ahead > 0) this.#upTo.set(id, { ...page, items: page.items.slice(0, -1) });
    return last;
  }

  /** Entries behind one, the oldest first; none if it is not on the newest branch. */
  async *after(id: string, most = MOST_ENTRIES): AsyncGenerator<Item, void> {
    this.#endedEarly = false;
    let after = id;
    for (const limit of pageSizes(most)) {
      const { items, has_more_after } = this.#behind.get(after) ?? (await orNothing(this.#page({ after, limit })));
      yield* items;
      after = items.at(-1)?.id ?? after;
      if (!has_more_after) return;
    }
    this.#endedEarly = true;
  }

  /** Entries before one on its branch, or those at the end of the newest branch; the newest first. */
  async *before(id: string | null, most = MOST_ENTRIES): AsyncGenerator<Item, void> {
    this.#endedEarly = false;
    let before = id;
    for (const limit of pageSizes(most)) {
      const range = before === null ? {} : { before, leaf_id: id ?? undefined };
      const known = before === id ? this.#upTo.get(id) : undefined;
      const { items, has_more_before } = known ?? (await orNothing(this.#page({ ...range, limit })));
      yield* items.toReversed();
      before = items[0]?.id ?? before;
      if (!has_more_before) return;
    }
    this.#endedEarly = true;
  }

  async #page(range: {
    leaf_id?: string | undefined;
    before?: string;
    after?: string;
    limit: number;
  }): Promise<TranscriptPage> {
    const page = await call(this.#context.send, "read_transcript", { path: this.#path, ...range });
    // The schema of the command has less to say of values than the type that it is made from.
    return page as unknown as TranscriptPage;
  }
}

type Items = Pick<TranscriptPage, "items" | "has_more_after" | "has_more_before">;

const NOTHING: Items = { items: [], has_more_after: false, has_more_before: false };

/** Sizes of the pages that have so many entries together. */
function* pageSizes(most: number): Generator<number> {
  let size = PAGE;
  for (let left = most; left > 0; left -= size) {
    size = Math.min(left === most ? PAGE : 2 * size, LARGEST_PAGE, left);
    yield size;
  }
}

function revisionOf({ total, leaf_id }: TranscriptPage): string {
  return `${total}/${leaf_id ?? ""}`;
}

async function orNothing(page: Promise<TranscriptPage>): Promise<Items> {
  return (await orNull(page)) ?? NOTHING;
}

/** Entries that are not on the branch are no defect: a reference may be older than the branch. */
async function orNull(page: Promise<TranscriptPage>): Promise<TranscriptPage | null> {
  try {
    return await page;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "INVALID_PAYLOAD" || code === "NOT_FOUND") return null;
    throw error;
  }
}
