const MAX_KEYS = 1_000;

/**
 * The content keys of sessions that change often, by path. A row is found by its key in half as many pages as by its
 * path; whoever uses a key makes sure that the row still has that path.
 */
export class RecentKeys {
  readonly #keys = new Map<string, number>();

  of(paths: readonly string[]): number[] {
    return paths.flatMap((path) => this.#keys.get(path) ?? []);
  }

  add(path: string, key: number): void {
    if (this.#keys.size === MAX_KEYS) this.#keys.clear();
    this.#keys.set(path, key);
  }
}
