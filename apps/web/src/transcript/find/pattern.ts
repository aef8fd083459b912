import { findPattern } from "@sm/core";

/** So short a word is part of very many others. */
const SHORT_WORD = /^[a-z\d]{1,2}$/iu;

/** Leaves out texts that others are part of, which find them too. */
export function shortestTexts(texts: readonly string[]): string[] {
  return texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)));
}

/** Makes a pattern of texts that are to be marked, the longest of which is marked where several stand. */
export function marksPattern(texts: readonly string[]): RegExp | null {
  const sources = [...texts]
    .sort((a, b) => b.length - a.length)
    .flatMap((text) => (SHORT_WORD.test(text) ? `\\b${text}\\b` : (findPattern(text)?.source ?? [])));
  return sources.length === 0 ? null : new RegExp(sources.join("|"), "giu");
}
