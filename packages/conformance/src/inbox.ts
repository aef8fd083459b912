/** What has come over a connection, in order; a test waits for what it expects. */
export class Inbox<Item> {
  readonly items: Item[] = [];
  readonly #waiting = new Set<{ look: () => boolean; fail: (reason: Error) => void }>();
  #end: Error | null = null;

  push(item: Item): void {
    this.items.push(item);
    for (const waiting of this.#waiting) if (waiting.look()) this.#waiting.delete(waiting);
  }

  /** Nothing more will come: who still waits is told why. */
  end(reason: Error): void {
    this.#end = reason;
    for (const { fail } of this.#waiting) fail(reason);
    this.#waiting.clear();
  }

  /** Waits until `find` finds something among all that has come. */
  until<Found>(find: (items: readonly Item[]) => Found | undefined): Promise<Found> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find(this.items);
        if (found !== undefined) resolve(found);
        return found !== undefined;
      };
      if (look()) return;
      if (this.#end !== null) reject(this.#end);
      else this.#waiting.add({ look, fail: reject });
    });
  }

  /** Waits for the first item that fits. */
  first(fits: (item: Item) => boolean): Promise<Item> {
    return this.until((items) => items.find(fits));
  }
}
