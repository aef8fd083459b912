import { splitWords } from "@sm/text-index/analysis";
import type { FieldNode } from "./query-tree.ts";

/** Makes the test of `name:` for a name that is not in the index: whether it has all words of the value. */
export function nameMatcher({ value, prefix }: Pick<FieldNode, "value" | "prefix">): (name: string) => boolean {
  const wanted = splitWords(value);
  return (name) => {
    const terms = splitWords(name).flatMap(({ term, parts }) => [term, ...parts.map((part) => part.term)]);
    const has = (term: string, isBeginning: boolean) =>
      isBeginning ? terms.some((known) => known.startsWith(term)) : terms.includes(term);
    return wanted.every(({ term, parts }, place) => {
      const isOpen = prefix && place === wanted.length - 1;
      const isSpelt = parts.length > 0 && parts.every((part, n) => has(part.term, isOpen && n === parts.length - 1));
      return has(term, isOpen) || isSpelt;
    });
  };
}
