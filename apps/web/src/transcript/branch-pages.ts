import type { TranscriptItem, TranscriptPage } from "@sm/core";
import { FIRST_ENTRIES } from "../client/first-questions.ts";
import { itemSize } from "./item-size.ts";

/** Asks for the last entries of the branch that ends at `leafId`; `null`: of the newest branch. */
export type LoadEntries = (request: { leafId: string | null; limit: number }) => Promise<TranscriptPage>;

export interface BranchPagesOptions {
  load: LoadEntries;
  /** UTF-16 units of an entry on average, as far as is known before the first is read. */
  expectedSize: number;
  /** Something has changed that is shown. */
  onChange(): void;
  /** The service knows the branch otherwise: the file was replaced. */
  onStale(): void;
}

/** UTF-16 units that one page should have: some 20 ms to read and to take apart. */
const PAGE_SIZE = 512 * 1024;
const FEWEST_IN_PAGE = 8;
const MAX_IN_PAGE = 200;
/** Entries loaded beyond the visible ones. */
const AHEAD = 40;

/** UTF-16 units and entries that are kept; what is farthest from sight goes first. */
const MAX_HELD_SIZE = 24 * 1024 * 1024;
const MAX_HELD = 3_000;

/**
 * The entries of one branch, of which those around what is in sight are held. Places count from the root, so that what
 * comes in above moves nothing.
 */
export class BranchPages {
  readonly #options: BranchPagesOptions;
  readonly #items = new Map<number, TranscriptItem>();
  readonly #sizes = new Map<number, number>();
  #ids: (string | undefined)[] = [];
  #places: Map<string, number> | null = null;
  #heldSize = 0;
  #readSize = 0;
  #readCount = 0;
  #from = 0;
  #to = 0;
  /** Counts branches: what was asked for an earlier one is not taken. */
  #turn = 0;
  #isLoading = false;

  total = 0;
  /** Counts changes of what is held. */
  changes = 0;
  /** Counts how often entries that were on the branch have left it. */
  switches = 0;
  isOpen = false;
  labels: Readonly<Record<string, string>> = {};
  error: unknown = null;

  constructor(options: BranchPagesOptions) {
    this.#options = options;
  }

  /** By place; another array whenever one of them becomes another. */
  get ids(): readonly (string | undefined)[] {
    return this.#ids;
  }

  item(place: number): TranscriptItem | undefined {
    return this.#items.get(place);
  }

  /** The place of an entry on this branch, -1 where it is not known to be on it. */
  placeOf(id: string): number {
    this.#places ??= new Map(this.#ids.flatMap((one, place) => (one === undefined ? [] : [[one, place]])));
    return this.#places.get(id) ?? -1;
  }

  /** Has a branch without entries. */
  begin(): void {
    this.isOpen = true;
    this.#options.onChange();
  }

  /** Loads the end of the branch that ends at `leafId`; `null`: of the newest one. */
  async open(leafId: string | null): Promise<void> {
    const turn = ++this.#turn;
    this.error = null;
    try {
      const page = await this.#options.load({ leafId, limit: Math.min(FIRST_ENTRIES, this.#limit()) });
      if (turn !== this.#turn) return;
      this.#drop(0);
      this.#setIds(new Array(page.total).fill(undefined));
      this.total = page.total;
      this.isOpen = true;
      this.#from = this.total;
      this.#to = this.total;
      this.#fill(this.total, page);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.error = error;
    }
    this.#options.onChange();
    this.#pump();
  }

  /** Shows another branch, the first one too, or what has been added to this one: entries that both have stay where they are. */
  setBranch(ids: readonly string[]): void {
    let shared = 0;
    while (shared < ids.length && (this.#ids[shared] ?? ids[shared]) === ids[shared]) shared++;
    const isSame = shared === ids.length && shared === this.total;
    if (!isSame || this.#ids.includes(undefined)) this.#setIds([...ids]);
    if (isSame) return;
    this.#turn++;
    this.#isLoading = false;
    this.isOpen = true;
    this.error = null;
    if (shared < this.total) this.switches++;
    this.#drop(shared);
    this.total = ids.length;
    this.#options.onChange();
    this.#pump();
  }

  /** Takes entries that were appended to this branch. */
  append(items: readonly TranscriptItem[]): void {
    const start = this.total;
    this.#setIds([...this.#ids, ...items.map(({ id }) => id)]);
    this.total += items.length;
    for (const [at, item] of items.entries()) this.#hold(start + at, item);
    this.#evict();
    this.#options.onChange();
  }

  setLabels(labels: Readonly<Record<string, string>>): void {
    this.labels = labels;
  }

  /** Tells which places are in sight, `to` excluded; what is missing there and nearby is loaded. */
  show(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
    this.#pump();
  }

  /** Tries once more after an error. */
  retry(): void {
    this.error = null;
    if (this.isOpen) this.#pump();
    else void this.open(this.#ids.at(-1) ?? null);
    this.#options.onChange();
  }

  /** Takes no more answers. */
  close(): void {
    this.#turn++;
    this.#drop(0);
  }

  #pump(): void {
    if (this.#isLoading || !this.isOpen || this.error !== null) return;
    const missing = this.#missing();
    if (missing !== null) void this.#load(missing);
  }

  async #load({ end, limit }: { end: number; limit: number }): Promise<void> {
    const turn = this.#turn;
    this.#isLoading = true;
    try {
      const page = await this.#options.load({ leafId: this.#ids[end - 1] ?? null, limit });
      if (turn !== this.#turn) return;
      this.#isLoading = false;
      if (page.total !== end || page.items.length === 0) return this.#options.onStale();
      this.#fill(end, page);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#isLoading = false;
      this.error = error;
    }
    this.#options.onChange();
    this.#pump();
  }

  /** The page that is needed most: what is in sight, then what is near. `null` where nothing is missing. */
  #missing(): { end: number; limit: number } | null {
    const last =
      this.#lastMissing(this.#from, this.#to) ??
      this.#lastMissing(this.#to, this.#to + this.#ahead()) ??
      this.#lastMissing(this.#from - this.#ahead(), this.#from);
    if (last === null) return null;
    // A page is asked for by its last entry. Where that is not known, everything up to it is loaded from below.
    let end = last + 1;
    while (end < this.total && this.#ids[end - 1] === undefined) end++;
    const most = this.#limit();
    let limit = 0;
    while (limit < most && limit < end && !this.#items.has(end - 1 - limit)) limit++;
    // The entry above one that is held is known.
    return limit === 0 ? null : { end, limit };
  }

  #lastMissing(from: number, to: number): number | null {
    for (let place = Math.min(to, this.total) - 1; place >= Math.max(from, 0); place--) {
      if (!this.#items.has(place)) return place;
    }
    return null;
  }

  #limit(): number {
    const average = this.#readCount === 0 ? this.#options.expectedSize : this.#readSize / this.#readCount;
    return Math.max(FEWEST_IN_PAGE, Math.min(MAX_IN_PAGE, Math.floor(PAGE_SIZE / Math.max(1, average))));
  }

  #ahead(): number {
    return Math.min(AHEAD, this.#limit());
  }

  #fill(end: number, { items, labels }: TranscriptPage): void {
    this.labels = labels;
    const start = end - items.length;
    const ids = [...this.#ids];
    for (const [at, { id, parent_id }] of items.entries()) {
      const place = start + at;
      ids[place] ??= id;
      if (place > 0 && parent_id !== null) ids[place - 1] ??= parent_id;
    }
    // With another array, all rows of the branch are laid out anew.
    if (ids.some((id, place) => id !== this.#ids[place])) this.#setIds(ids);
    for (const [at, item] of items.entries()) this.#hold(start + at, item);
    this.#evict();
  }

  #hold(place: number, item: TranscriptItem): void {
    const size = itemSize(item);
    this.#heldSize += size - (this.#sizes.get(place) ?? 0);
    this.#readSize += size;
    this.#readCount++;
    this.changes++;
    this.#items.set(place, item);
    this.#sizes.set(place, size);
  }

  /** Lets go what is farthest from sight, never what is in sight or near. */
  #evict(): void {
    const distance = (place: number) => Math.max(this.#from - place, place - this.#to + 1, 0);
    const isTooMuch = () => this.#heldSize > MAX_HELD_SIZE || this.#items.size > MAX_HELD;
    if (!isTooMuch()) return;
    for (const place of [...this.#items.keys()].sort((a, b) => distance(b) - distance(a))) {
      if (!isTooMuch() || distance(place) <= this.#ahead()) return;
      this.#letGo(place);
    }
  }

  #drop(from: number): void {
    for (const place of [...this.#items.keys()]) if (place >= from) this.#letGo(place);
  }

  #letGo(place: number): void {
    this.#heldSize -= this.#sizes.get(place) ?? 0;
    this.changes++;
    this.#items.delete(place);
    this.#sizes.delete(place);
  }

  #setIds(ids: (string | undefined)[]): void {
    this.#ids = ids;
    this.#places = null;
  }
}
