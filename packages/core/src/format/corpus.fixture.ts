import type { JsonObject } from "../json.ts";

/** A small session that has everything a format knows, and what a correct reader finds in it. */
export interface Corpus {
  lines: readonly JsonObject[];
  found: {
    entries: number;
    messages: number;
    prompts: number;
    answers: number;
    calls: number;
    /** Input, output, read from a cache, written to it. */
    usage: readonly [input: number, output: number, cacheRead: number, cacheWrite: number];
    title: string;
    /** Each in a part of its own, or as a whole in one. */
    words: readonly string[];
  };
  /** Lines of other programs and other files beside the sessions. */
  foreign: readonly JsonObject[];
  /** Folders with sessions in `../shared/fixtures`. */
  fixtures: readonly string[];
}
