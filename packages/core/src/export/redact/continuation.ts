import { type Detector, eachMatch, type Report } from "./finding.ts";
import { findNear, type Place } from "./nearby.ts";

/** A line continuation of a shell, also in a JSON string, and the indent of the next line. */
const CONTINUATION = /\\\r?\n[ \t]*|\\\\(?:\\r)?\\n[ \t]*/g;
const HAS_ONE = /\\\r?\n|\\\\(?:\\r)?\\n/;

/** Joins words that a line continuation has split, for a detector. */
export function acrossContinuations(detect: Detector): Detector {
  return (text, report) => {
    if (!HAS_ONE.test(text)) return;
    const marks: Place[] = [];
    eachMatch(CONTINUATION, text, ({ index, 0: mark }) => marks.push({ start: index, end: index + mark.length }));
    findNear(text, marks, (part, reportPart) => findJoined(part, detect, reportPart), report);
  };
}

function findJoined(text: string, detect: Detector, report: Report): void {
  const places: { joined: number; removed: number }[] = [];
  let joined = "";
  let at = 0;
  let removed = 0;
  eachMatch(CONTINUATION, text, ({ index, 0: mark }) => {
    joined += text.slice(at, index);
    at = index + mark.length;
    removed += mark.length;
    places.push({ joined: joined.length, removed });
  });
  joined += text.slice(at);
  const original = (place: number, isEnd: boolean) => place + removedBefore(places, isEnd ? place - 1 : place);
  detect(joined, (start, end, type) => report(original(start, false), original(end, true), type));
}

/** Number of characters removed before a position of the joined text. */
function removedBefore(places: readonly { joined: number; removed: number }[], at: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.joined ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return places[low - 1]?.removed ?? 0;
}
