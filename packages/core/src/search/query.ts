import { AppError } from "../errors.ts";
import type { SearchRole } from "../library.ts";
import { isUnspacedCharacter } from "./fold.ts";
import { splitWords, type Word } from "./tokens.ts";

/** A word or a quoted phrase, as typed. A word with punctuation in it stands for the phrase of its pieces. */
export interface TermNode {
  type: "term";
  text: string;
  quoted: boolean;
  /** Whether longer words that begin like the last one match too. */
  prefix: boolean;
}

/** All of `nodes` and none of `without`. Only here can a term be excluded, so every tree looks for something. */
export interface AndNode {
  type: "and";
  nodes: TermNode[];
  without: TermNode[];
}

export type QueryNode = TermNode | AndNode;

/** What a user searches for. */
export interface Query {
  node: QueryNode;
  /** The value of `role:`, `null` where the query names none. */
  role: SearchRole | null;
}

/** Terms of the index that follow each other; with `prefix` the last is the beginning of one. */
export interface Phrase {
  terms: string[];
  prefix: boolean;
}

/** The phrases that a term of a query, or a section of a long one, stands for; any of them is a match. */
export type QueryTerm = Phrase[];

const LENGTH_LIMIT = 1000;
const ROLES: readonly string[] = ["user", "assistant", "tool", "all"] satisfies SearchRole[];

/**
 * Parses `word`, `"exact phrase"`, `prefix*`, `-word`, `-"phrase"` and `role:`; terms are AND-ed, and everything else
 * is plain text. Pieces without letters, digits or symbols are ignored. Throws `INVALID_PAYLOAD` with the column.
 */
export function parseQuery(text: string): Query {
  if (text.length > LENGTH_LIMIT) {
    throw invalid(`The query is longer than ${LENGTH_LIMIT} characters, at column ${LENGTH_LIMIT + 1}.`);
  }
  const nodes: TermNode[] = [];
  const without: TermNode[] = [];
  let role: SearchRole | null = null;
  let firstExcluded = 0;

  for (const piece of pieces(text)) {
    if (!piece.quoted && /^role:/i.test(piece.text)) {
      const named = roleOf(piece);
      if (role !== null && role !== named) {
        throw invalid(`The query names a second role at column ${piece.column}; one is possible.`);
      }
      role = named;
      continue;
    }
    const node = termOf(piece);
    if (node === null) continue;
    if (piece.excluded && without.length === 0) firstExcluded = piece.column;
    (piece.excluded ? without : nodes).push(node);
  }

  const [first] = nodes;
  if (first === undefined) {
    throw invalid(
      without.length > 0
        ? `The query only excludes, from column ${firstExcluded} on; add a word to search for.`
        : "The query has no word to search for, at column 1.",
    );
  }
  return { node: nodes.length === 1 && without.length === 0 ? first : { type: "and", nodes, without }, role };
}

/** Writes a query so that `parseQuery` reads the same tree. */
export function printQuery({ node, role }: Query): string {
  const { nodes, without } = asAnd(node);
  return [
    ...(role === null ? [] : [`role:${role}`]),
    ...nodes.map(printTerm),
    ...without.map((term) => `-${printTerm(term)}`),
  ].join(" ");
}

/**
 * Says how identifiers that the index knows come apart: for `getusername` the parts `get`, `user`, `name`. With
 * `prefix` for all that begin like the word; then the last part may be the beginning of one.
 */
export type SplitIdentifier = (word: string, prefix: boolean) => string[][];

/** Compiles a query to an FTS5 MATCH expression for text that went through `indexText`. The role is not part of it. */
export function toFts5({ node }: Query, split: SplitIdentifier): string {
  const { nodes, without } = asAnd(node);
  const compile = (term: TermNode) => compileTerm(term, split);
  const wanted = nodes.map(compile).join(" AND ");
  return without.length === 0 ? wanted : `(${wanted}) NOT (${without.map(compile).join(" OR ")})`;
}

/**
 * Lists what the query looks for and a snippet highlights. Without `split`, identifiers of the text are recognised as a
 * whole and by the humps that the query has; with it, everything that `toFts5` finds.
 */
export function queryTerms({ node }: Query, split: SplitIdentifier = NOT_SPLIT): QueryTerm[] {
  return asAnd(node).nodes.flatMap((term) => sectionsOf(term, split));
}

interface Piece {
  text: string;
  quoted: boolean;
  /** A `*` follows the closing quote. */
  starred: boolean;
  excluded: boolean;
  /** Counted from 1. */
  column: number;
}

function* pieces(text: string): Generator<Piece> {
  // `--flag` is text that people search for, not an excluded `-flag`.
  const piece = /(-(?=[^-\s]))?(?:"([^"]*)("?)(\*?)|[^\s"]+)/g;
  for (const match of text.matchAll(piece)) {
    const [whole, dash = "", phrase, closing, star] = match;
    const column = match.index + 1;
    if (phrase !== undefined && closing === "") {
      throw invalid(`The quote at column ${column + dash.length} is not closed.`);
    }
    yield {
      text: phrase ?? whole.slice(dash.length),
      quoted: phrase !== undefined,
      starred: star === "*",
      excluded: dash !== "",
      column,
    };
  }
}

function roleOf({ text, excluded, column }: Piece): SearchRole {
  if (excluded) throw invalid(`A role cannot be excluded, at column ${column}; name the one that is wanted.`);
  const value = text.slice("role:".length).toLowerCase();
  if (!isRole(value)) throw invalid(`The role at column ${column} must be one of ${ROLES.join(", ")}.`);
  return value;
}

function isRole(value: string): value is SearchRole {
  return ROLES.includes(value);
}

/** `null` for a piece without anything that the index holds. */
function termOf({ text, quoted, starred }: Piece): TermNode | null {
  const body = quoted ? text : text.replace(/\*+$/, "");
  const last = splitWords(body).at(-1);
  if (last === undefined) return null;
  // In `foo.*` the star follows punctuation: there is no word of which it could be the rest.
  const prefix = (quoted ? starred : body !== text) && last.end === body.length;
  return { type: "term", text: prefix ? body : text, quoted, prefix };
}

function asAnd(node: QueryNode): AndNode {
  return node.type === "and" ? node : { type: "and", nodes: [node], without: [] };
}

function printTerm({ text, quoted, prefix }: TermNode): string {
  return `${quoted ? `"${text}"` : text}${prefix ? "*" : ""}`;
}

const NOT_SPLIT: SplitIdentifier = () => [];

/** Each word of a phrase may have several spellings, and every combination of them is a phrase of its own. */
const MOST_PHRASES = 64;

/**
 * The ways in which the words of a term may stand in the index. Where they are too many, the term comes in sections,
 * all of which must be in a text: better than to miss one that has the words in a spelling that was left out.
 */
function sectionsOf({ text, prefix }: TermNode, split: SplitIdentifier): QueryTerm[] {
  const words = splitWords(text);
  const last = words.at(-1);
  const beforeLast = words.at(-2);
  let open = prefix;
  if (last !== undefined && beforeLast !== undefined && last.start < beforeLast.end) {
    // The single character that ends a run of pairs: in the text, the run may go on.
    words.pop();
  } else if (last !== undefined && isUnspacedCharacter(last.term)) {
    // In the text, it begins a pair or ends a run.
    open = true;
  }
  const sections: QueryTerm[] = [];
  let phrases: string[][] = [[]];
  for (const [place, word] of words.entries()) {
    const spellings = spellingsOf(word, open && place === words.length - 1, split);
    if (phrases.length * spellings.length > MOST_PHRASES) {
      sections.push(phrases.map((terms) => ({ terms, prefix: false })));
      phrases = [[]];
    }
    phrases = phrases.flatMap((phrase) => spellings.map((spelling) => [...phrase, ...spelling]));
  }
  sections.push(phrases.map((terms) => ({ terms, prefix: open })));
  return sections;
}

function spellingsOf(word: Word, prefix: boolean, split: SplitIdentifier): string[][] {
  const spellings = [[word.term], ...split(word.term, prefix)];
  if (word.parts.length > 0) spellings.unshift(word.parts.map((part) => part.term));
  const distinct = new Map(spellings.map((spelling) => [spelling.join(" "), spelling]));
  return [...distinct.values()].slice(0, MOST_PHRASES);
}

function compileTerm(node: TermNode, split: SplitIdentifier): string {
  const sections = sectionsOf(node, split).map(compileSection);
  return sections.length === 1 ? sections.join("") : `(${sections.join(" AND ")})`;
}

function compileSection(section: QueryTerm): string {
  const phrases = section.map(({ terms, prefix }) => `"${terms.join(" ")}"${prefix ? "*" : ""}`);
  return phrases.length === 1 ? phrases.join("") : `(${phrases.join(" OR ")})`;
}

function invalid(message: string): AppError {
  return new AppError("INVALID_PAYLOAD", message, { details: [{ path: "query", message }] });
}
