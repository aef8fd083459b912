import {
  containsFolded,
  type Phrase,
  partsUnder,
  type SplitIdentifier,
  type SubstringPiece,
  splitWords,
  substringPieces,
} from "@sm/text-index/analysis";
import { parseQuery } from "./query.ts";
import { termSections } from "./query-terms.ts";
import type { QueryNode } from "./query-tree.ts";

interface Document {
  text: string;
  terms: readonly string[];
}

/** One or more terms that stand at following places. */
type Slots = ((term: string) => boolean)[];

/** Finds texts as the index is meant to: the rules of this folder without anything that makes them quick. */
export class MemoryIndex {
  readonly #documents: Document[];
  /** As in the dictionary of a segment: `id:getusername get user name`. */
  readonly #identifiers = new Set<string>();

  constructor(texts: readonly string[]) {
    this.#documents = texts.map((text) => ({ text, terms: splitWords(text).flatMap((word) => this.#termsOf(word)) }));
  }

  #termsOf({ term, parts }: ReturnType<typeof splitWords>[number]): string[] {
    if (parts.length === 0) return [term];
    const terms = parts.map((part) => part.term);
    this.#identifiers.add(`id:${term} ${terms.join(" ")}`);
    return terms;
  }

  readonly split: SplitIdentifier = (word, prefix) =>
    [...this.#identifiers].flatMap((identifier) => {
      const [whole = "", ...parts] = identifier.slice("id:".length).split(" ");
      if (prefix ? !whole.startsWith(word) : whole !== word) return [];
      let left = word.length;
      const typed = parts.map((part) => {
        const piece = part.slice(0, Math.max(0, left));
        left -= part.length;
        return piece;
      });
      return [typed.filter((piece) => piece !== "")];
    });

  /** Numbers of the texts that match. Fields are not known here. */
  select(query: string | QueryNode): number[] {
    const node = typeof query === "string" ? parseQuery(query) : query;
    return this.#documents.flatMap((document, number) => (this.#matches(document, node) ? [number] : []));
  }

  #matches(document: Document, node: QueryNode): boolean {
    switch (node.type) {
      case "and":
        return node.nodes.every((child) => this.#matches(document, child));
      case "or":
        return node.nodes.some((child) => this.#matches(document, child));
      case "not":
        return !this.#matches(document, node.node);
      case "term":
        return termSections(node, this.split).every((section) =>
          section.some((phrase) => stands(slotsOfPhrase(phrase), document)),
        );
      case "substring":
        return this.#hasSubstring(document, node.text);
      default:
        throw new Error(`no ${node.type} is known here`);
    }
  }

  #hasSubstring(document: Document, pattern: string): boolean {
    const { pieces, isExact } = substringPieces(pattern);
    if (pieces.length === 0) return containsFolded(document.text, pattern);
    if (isExact && stands(pieces.map(meets), document)) return true;
    let ways: Slots[] = [[]];
    for (const piece of pieces) {
      const runs = [...this.#identifiers].flatMap((identifier) => partsUnder(piece, identifier));
      const next: Slots[] = [[meets(piece)], ...runs.map((parts) => parts.map(equals))];
      ways = ways.flatMap((way) => next.map((slots) => [...way, ...slots]));
    }
    return ways.some((slots) => stands(slots, document)) && containsFolded(document.text, pattern);
  }
}

function stands(slots: Slots, { terms }: Document): boolean {
  return terms.some((_, start) => slots.every((slot, offset) => slot(terms[start + offset] ?? "")));
}

function slotsOfPhrase({ terms, prefix }: Phrase): Slots {
  return terms.map((term, place) =>
    prefix && place === terms.length - 1 ? (other) => other.startsWith(term) : equals(term),
  );
}

function equals(term: string): (other: string) => boolean {
  return (other) => other === term;
}

function meets({ text, match }: SubstringPiece): (term: string) => boolean {
  switch (match) {
    case "within":
      return (term) => term.includes(text);
    case "beginning":
      return (term) => term.startsWith(text);
    case "end":
      return (term) => term.endsWith(text);
    case "whole":
      return equals(text);
  }
}
