import type { ObjectStore, StoredObject } from "./object-store.ts";

const KINDS = ["put", "get", "delete", "list"] as const;

/** A request lists all objects below a folder, or is about one of them. */
export type ObjectRequest = (typeof KINDS)[number];

/** Of all requests of a kind since the process has started. */
export interface RequestSums {
  requests: number;
  /** Those of them that the store has not answered, or with an error. */
  failures: number;
  /** What they have taken together. */
  seconds: number;
  /** Of objects that were written or read. */
  bytes: number;
}

/** Counts what is asked of a store. */
export class CountedStore implements ObjectStore {
  readonly #store: ObjectStore;
  readonly sums: ReadonlyMap<ObjectRequest, RequestSums> = new Map(
    KINDS.map((kind) => [kind, { requests: 0, failures: 0, seconds: 0, bytes: 0 }]),
  );

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  get name(): string {
    return this.#store.name;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#counted("put", () => this.#store.put(key, bytes));
    this.#of("put").bytes += bytes.length;
  }

  async get(key: string, length?: number): Promise<Buffer | null> {
    const bytes = await this.#counted("get", () => this.#store.get(key, length));
    this.#of("get").bytes += bytes?.length ?? 0;
    return bytes;
  }

  async delete(key: string): Promise<void> {
    await this.#counted("delete", () => this.#store.delete(key));
  }

  async *list(folder: string): AsyncGenerator<StoredObject, void> {
    const sums = this.#of("list");
    sums.requests++;
    const objects = this.#store.list(folder);
    try {
      for (;;) {
        const { done, value } = await this.#timed("list", () => objects.next());
        if (done === true) return;
        yield value;
      }
    } finally {
      await objects.return();
    }
  }

  #counted<T>(kind: ObjectRequest, request: () => Promise<T>): Promise<T> {
    this.#of(kind).requests++;
    return this.#timed(kind, request);
  }

  async #timed<T>(kind: ObjectRequest, request: () => Promise<T>): Promise<T> {
    const sums = this.#of(kind);
    const started = performance.now();
    try {
      return await request();
    } catch (error) {
      sums.failures++;
      throw error;
    } finally {
      sums.seconds += (performance.now() - started) / 1_000;
    }
  }

  #of(kind: ObjectRequest): RequestSums {
    return this.sums.get(kind) as RequestSums;
  }
}
