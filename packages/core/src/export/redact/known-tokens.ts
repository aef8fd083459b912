import { beginsWord, type Detector } from "./finding.ts";
import { type TokenFormat, tokenFormats } from "./token-formats.ts";

/** By prefix; the pattern of the rest is sticky. */
const formats = new Map<string, TokenFormat>();
for (const { type, starts, rest } of tokenFormats) {
  for (const start of starts) {
    if (formats.has(start)) throw new Error(`Two token formats begin with "${start}".`);
    formats.set(start, { type, starts, rest: new RegExp(rest, "y") });
  }
}

/** One pattern for all prefixes, to scan a text once; longest first, because the first match wins. */
const STARTS = new RegExp(
  [...formats.keys()]
    .sort((a, b) => b.length - a.length)
    .map((start) => start.replace(/[.+*?/-]/g, "\\$&"))
    .join("|"),
  "g",
);

/** Finds tokens by their prefix. */
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
