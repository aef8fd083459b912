import type { Detector, Report } from "./finding.ts";

/** A range of a text. */
export interface Place {
  start: number;
  end: number;
}

/** Maximum context of detectors, except for keys and long tokens. */
const SIGHT = 1024;

/**
 * Searches again near some ranges of a text, in ascending order, with work proportional to their number. Context is
 * included in the search, but not reported.
 */
export function findNear(text: string, places: readonly Place[], detect: Detector, report: Report): void {
  for (let next = 0; next < places.length; ) {
    const first = places[next] as Place;
    const from = wordStart(text, first.start - 2 * SIGHT);
    let last = first;
    let to = wordEnd(text, last.end + 2 * SIGHT);
    for (let place = places[++next]; place !== undefined && place.start - 2 * SIGHT <= to; place = places[++next]) {
      last = place;
      if (last.end + 2 * SIGHT > to) to = wordEnd(text, last.end + 2 * SIGHT);
    }
    detect(text.slice(from, to), (start, end, type) => {
      if (from + end > first.start - SIGHT && from + start < last.end + SIGHT) report(from + start, from + end, type);
    });
  }
}

const GAP = /\s/;

function wordStart(text: string, at: number): number {
  let start = Math.max(0, at);
  while (start > 0 && !GAP.test(text.charAt(start - 1))) start--;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = Math.min(text.length, at);
  while (end < text.length && !GAP.test(text.charAt(end))) end++;
  return end;
}
