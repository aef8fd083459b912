import { beginsWord, type Detector } from "./finding.ts";
import { type TokenFormat, tokenFormats } from "./token-formats.ts";

/** By what they begin with; the pattern of what follows is sticky. */
const formats = new Map<string, TokenFormat>();
for (const { type, starts, rest } of tokenFormats) {
  for (const start of starts) {
    if (formats.has(start)) throw new Error(`Two token formats begin with "${start}".`);
    formats.set(start, { type, starts, rest: new RegExp(rest, "y") });
  }
}

/**
 * One pattern for all beginnings, so that a text is passed over once, however many formats there are; longer ones come
 * first, since the first that fits is taken.
 */
const STARTS = new RegExp(
  [...formats.keys()]
    .sort((a, b) => b.length - a.length)
    .map((start) => start.replace(/[.+*?/-]/g, "\\$&"))
    .join("|"),
  "g",
);

/** Finds tokens whose format tells whose they are. */
export const findTokens: Detector = (text, report) => {
  STARTS.lastIndex = 0;
  for (let match = STARTS.exec(text); match !== null; match = STARTS.exec(text)) {
    const end = tokenEnd(text, match.index, match[0]);
    if (end !== null) report(match.index, end.end, end.type);
    STARTS.lastIndex = end?.end ?? match.index + 1;
  }
};

function tokenEnd(text: string, at: number, start: string): { end: number; type: string } | null {
  const format = formats.get(start);
  if (format === undefined || !beginsWord(text, at)) return null;
  format.rest.lastIndex = at + start.length;
  return format.rest.test(text) ? { end: format.rest.lastIndex, type: format.type } : null;
}
