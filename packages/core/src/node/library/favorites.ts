import type { OpenIndex } from "../indexing/open-index.ts";
import type { SessionIdentity, StateStore } from "../state/ports.ts";

export interface FavoritesOptions {
  marks: Pick<StateStore, "toggleFavorite" | "favorites">;
  index: Pick<OpenIndex, "list">;
  /** Finds a session by the path of a payload. Rejects like all commands with a path. */
  session(path: string): Promise<SessionIdentity>;
  /** Called with sessions whose records changed. */
  touched(paths: string[]): void;
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
    touched([path]);
    return { path, is_favorite: isFavorite };
  }

  /** Paths of favorites that are sessions now. */
  async paths(): Promise<string[]> {
    const { marks, index } = this.#options;
    const favorites = await marks.favorites();
    return index.list((listing) => favorites.filter((path) => listing.one(path) !== null));
  }
}
