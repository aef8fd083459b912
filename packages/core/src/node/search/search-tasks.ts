import type { SearchOptions, SearchPage } from "../../index.ts";

/** A search with what only the main thread knows. All sessions are named by their paths. */
export interface SearchTask extends SearchOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** What the payload's tags leave over, `null` where it has none. */
  paths: readonly string[] | null;
  /** What each `tag:` of the query stands for. */
  tagged: { value: string; prefix: boolean; paths: string[] }[];
  favorite: string[];
  live: string[];
}

/** What threads do to find text. */
export type SearchTasks = {
  search: { input: SearchTask; output: Omit<SearchPage, "indexing" | "took_ms"> };
};
