import { readTypedTime } from "@sm/core";

/** Times between which something is to be, as the URL says them, in the words that queries and the command line take. */
export interface TypedTimes {
  since?: string;
  until?: string;
}

/** The same in milliseconds since 1970; `null` without a limit. */
export interface Times {
  since: number | null;
  /** Excluded. */
  until: number | null;
}

/** Why the URL has no times that can be read. */
export interface TimesProblem {
  problem: string;
}

/** Reads the times of a URL: days are those of the browser's clock. */
export function readTimes({ since, until }: TypedTimes, now: number): Times | TimesProblem {
  const times: Times = { since: null, until: null };
  for (const [name, text] of [["since", since] as const, ["until", until] as const]) {
    if (text === undefined) continue;
    const { time, problem } = readTypedTime(text, now);
    if (problem !== null) return { problem: `"${name}" ${problem}.` };
    times[name] = time;
  }
  return times;
}
