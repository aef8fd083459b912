import type { SearchOptions, SearchPage } from "../../index.ts";
import type { HelpSetting } from "./phrase-help.ts";

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
  /** `wantsHelp`: another thread would have helped with it, see `enlist`. */
  search: { input: SearchTask; output: Omit<SearchPage, "indexing" | "took_ms"> & { wantsHelp: boolean } };
  /** Starts another thread that helps with searches from now on, which come in between. */
  enlist: { input: null; output: null };
  /** Has the thread help another one with searches from now on. */
  help: { input: HelpSetting; output: null };
};
