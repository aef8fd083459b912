import { parseQuery, printQuery, type QueryNode } from "@sm/core";

/** More words make a search slow and say little: those of a pasted line are fewer. */
const MOST_WORDS = 24;

/** Words that make a question of what is looked for, and are in every other text. */
const QUESTION_WORDS = new Set(
  (
    "a an the and or of to in on at for from by with about as into is are was were be been being am do does did done " +
    "has have had having can could shall should will would may might must i we you he she it they me us them my our " +
    "your his her its their this that these those there here what which who whom whose when where why how if so " +
    "ever already before yet any anyone anybody anything someone somebody something some seen not no didn't don't " +
    "doesn't isn't wasn't weren't haven't hasn't what's where's how's it's we've i've"
  ).split(" "),
);

/**
 * The same query for texts that have any of its words, for the question that no text answers with all of them. The
 * words that only make it a question are left out, and the shorter of very many; operators and fields stay.
 *
 * @param most characters of the query.
 * @returns `null` if that is no other query.
 */
export function someWordsOf(query: string, most: number): string | null {
  const tree = treeOf(query);
  if (tree === null) return anyOf(quotedWords(query), [], most);
  if (tree.type !== "and") return null;
  const isWord = (node: QueryNode) => node.type === "term" || node.type === "substring";
  const others = tree.nodes
    .filter((node) => !isWord(node))
    .map((node) => (node.type === "or" ? `(${printQuery(node)})` : printQuery(node)));
  return anyOf(tree.nodes.filter(isWord).map(printQuery), others, most);
}

/** Whether the text is no query: a line that was pasted has quotes and parentheses of its own. */
export function isNoQuery(text: string): boolean {
  return treeOf(text) === null;
}

function treeOf(query: string): QueryNode | null {
  try {
    return parseQuery(query);
  } catch {
    return null;
  }
}

/** What stands between spaces and quotes, as phrases. */
function quotedWords(text: string): string[] {
  return text
    .split(/[\s"]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word}"`);
}

function anyOf(words: readonly string[], others: readonly string[], most: number): string | null {
  const distinct = [...new Set(words)];
  if (distinct.length < 2) return null;
  const telling = distinct.filter((word) => !QUESTION_WORDS.has(bare(word)));
  const rest = others.map((other) => ` ${other}`).join("");
  // The longer a word, the rarer it mostly is.
  const byLength = [...(telling.length === 0 ? distinct : telling)].sort((a, b) => b.length - a.length);
  const kept: string[] = [];
  let room = most - rest.length - "()".length;
  for (const word of byLength.slice(0, MOST_WORDS)) {
    const needed = word.length + (kept.length === 0 ? 0 : " OR ".length);
    if (needed > room) continue;
    room -= needed;
    kept.push(word);
  }
  if (kept.length === 0) return null;
  const alternatives = distinct.filter((word) => kept.includes(word)).join(" OR ");
  return rest === "" ? alternatives : `(${alternatives})${rest}`;
}

/** A word without the signs around it, in lower case. */
function bare(word: string): string {
  return word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}
