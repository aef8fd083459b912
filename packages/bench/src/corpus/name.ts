import type { Random } from "./random.ts";
import { coinedWord, NOUNS, VERBS } from "./words.ts";

/** One identifier in every style in which code writes it. */
export interface Name {
  camel: string;
  pascal: string;
  snake: string;
  constant: string;
  kebab: string;
}

/** Joins lower-case words into one name. */
export function nameOf(parts: readonly string[]): Name {
  const pascal = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
  const snake = parts.join("_");
  return {
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    snake,
    constant: snake.toUpperCase(),
    kebab: parts.join("-"),
  };
}

/** The nouns of one project: a slice of those that everybody uses and some words of its own. */
export function domainNouns(random: Random): string[] {
  const nouns = Array.from({ length: 50 }, () => random.pick(NOUNS));
  for (let count = 0; count < 20; count++) nouns.push(coinedWord(random.below(40_000)));
  return nouns;
}

/** Two nouns, a verb and a noun, or a verb and two nouns. */
export function inventName(random: Random, nouns: readonly string[]): Name {
  const last = random.pick(nouns);
  const shape = random.below(4);
  if (shape === 0) return nameOf([random.pick(nouns), last]);
  if (shape === 1) return nameOf([random.pick(VERBS), last]);
  return nameOf([random.pick(VERBS), random.pick(nouns), last]);
}
