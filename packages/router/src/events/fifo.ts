interface Link<Item> {
  item: Item;
  next: Link<Item> | null;
}

/** Linked queue. `Array.shift` would move all remaining items. */
export class Fifo<Item> implements Iterable<Item> {
  #first: Link<Item> | null = null;
  #last: Link<Item> | null = null;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): Item | undefined {
    return this.#first?.item;
  }

  push(item: Item): void {
    const link = { item, next: null };
    if (this.#last === null) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    this.#length += 1;
  }

  shift(): Item | undefined {
    if (this.#first === null) return undefined;
    const { item, next } = this.#first;
    this.#first = next;
    if (next === null) this.#last = null;
    this.#length -= 1;
    return item;
  }

  /** Removes all items that do not match. */
  keep(isWanted: (item: Item) => boolean): void {
    const items = [...this].filter(isWanted);
    this.#first = null;
    this.#last = null;
    this.#length = 0;
    for (const item of items) this.push(item);
  }

  *[Symbol.iterator](): Generator<Item, void> {
    for (let link = this.#first; link !== null; link = link.next) yield link.item;
  }
}
