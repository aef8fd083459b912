import type { SessionIdentity, StateStore } from "../state/ports.ts";

export interface FavoritesOptions {
  marks: Pick<StateStore, "toggleFavorite" | "favorites">;
  /** Finds a session by the path of a payload. Rejects like all commands with a path. */
  session(path: string): Promise<SessionIdentity>;
  /** Which of these paths are sessions. */
  existing(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Called with sessions whose records changed. */
  touched(paths: string[]): void | Promise<void>;
}

/** The user's favorites among the sessions of a library. */
export class Favorites {
  readonly #options: FavoritesOptions;

  constructor(options: FavoritesOptions) {
    this.#options = options;
  }

  async toggle(given: string): Promise<{ path: string; is_favorite: boolean }> {
    const { marks, session, touched } = this.#options;
    const { path, id } = await session(given);
    const isFavorite = await marks.toggleFavorite({ path, id });
    await touched([path]);
    return { path, is_favorite: isFavorite };
  }

  /** Paths of favorites that are sessions now. */
  async paths(): Promise<string[]> {
    const { marks, existing } = this.#options;
    const favorites = await marks.favorites();
    const sessions = await existing(favorites);
    return favorites.filter((path) => sessions.has(path));
  }
}
