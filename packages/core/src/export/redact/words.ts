import { endsEscape } from "./finding.ts";
import type { Place } from "./nearby.ts";
import { PLACEHOLDER } from "./placeholders.ts";
import { canonical, MIN_WORD_LENGTH, oneSpaced } from "./word-list.ts";

const SPACELESS =
  "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}";
/** A letter, digit or accent of a script with spaces between words. */
const LETTER = `(?![${SPACELESS}])[\\p{L}\\p{N}\\p{M}]`;
const BEGINS_WITH_LETTER = new RegExp(`^${LETTER}`, "u");
const ENDS_WITH_LETTER = new RegExp(`${LETTER}$`, "u");
const LETTER_BEFORE = new RegExp(`(?<=${LETTER})`, "uy");

/**
 * Replaces words of the user's own, whatever they mean: whole words in any case, as literal text. A space in a phrase
 * stands for any white space. In scripts without spaces between words, they are found within others.
 */
export class OwnWords {
  /** The longest first: a phrase goes before its words. */
  readonly #forms: readonly string[];
  /** Where a word may be: literals alone are found fastest. */
  readonly #scan: RegExp;
  /** Whether one is. */
  readonly #exact: RegExp;

  /** @param words at least one. */
  constructor(words: readonly string[]) {
    this.#forms = [...new Set(words.map(oneSpaced).flatMap(formsOf))].sort((a, b) => b.length - a.length);
    this.#scan = new RegExp(this.#forms.map(patternOf).join("|"), "giu");
    this.#exact = new RegExp(exactPattern(this.#forms), "iuy");
  }

  /**
   * @param isPlaceholder whether a placeholder of this type was made by the redaction, and not by the text.
   * @param isCut whether the text may go on: most of a word at its end is replaced, too.
   */
  replace(
    text: string,
    placeholder: (word: string) => string,
    { isPlaceholder, isCut }: { isPlaceholder(type: string): boolean; isCut: boolean },
  ): string {
    const found = this.#find(text, placeholdersIn(text, isPlaceholder));
    const cut = isCut ? this.#cutOff(text, found.at(-1)?.end ?? 0) : null;
    if (cut !== null) found.push(cut);
    let replaced = "";
    let at = 0;
    for (const { start, end, word } of found) {
      replaced += text.slice(at, start) + placeholder(word);
      at = end;
    }
    return replaced + text.slice(at);
  }

  /** @param kept ranges that stay, in ascending order. */
  #find(text: string, kept: readonly Place[]): Found[] {
    const found: Found[] = [];
    const scan = this.#scan;
    let next = 0;
    scan.lastIndex = 0;
    for (let match = scan.exec(text); match !== null; match = scan.exec(text)) {
      const start = match.index;
      while (next < kept.length && (kept[next]?.end ?? 0) <= start) next++;
      this.#exact.lastIndex = start;
      const end = start + ((beginsHere(text, start) ? this.#exact.exec(text)?.[0].length : undefined) ?? 0);
      if (end === start || (kept[next]?.start ?? end) < end) {
        // Another one may begin within it. Not between the halves of a surrogate pair.
        scan.lastIndex = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
        continue;
      }
      found.push({ start, end, word: canonical(text.slice(start, end)) });
      scan.lastIndex = end;
    }
    return found;
  }

  /** The beginning of a word at the end of a text, if it is half of it. */
  #cutOff(text: string, from: number): Found | null {
    for (const form of this.#forms) {
      for (let length = form.length - 1; length >= Math.max(MIN_WORD_LENGTH, form.length / 2); length--) {
        const start = text.length - length;
        if (start < from || !beginsHere(text, start)) continue;
        const isBeginning = text.slice(start).toLowerCase() === form.slice(0, length).toLowerCase();
        if (isBeginning) return { start, end: text.length, word: canonical(form) };
      }
    }
    return null;
  }
}

interface Found extends Place {
  word: string;
}

/** File systems may write accents as characters of their own. */
function formsOf(word: string): string[] {
  return [word.normalize("NFC"), word.normalize("NFD")];
}

function patternOf(form: string): string {
  return form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(" ", "\\s+");
}

/** In the order of the words; those of a kind share what follows them, which takes milliseconds to compile. */
function exactPattern(forms: readonly string[]): string {
  const groups: { end: string; patterns: string[] }[] = [];
  for (const form of forms) {
    const end = ENDS_WITH_LETTER.test(form) ? `(?!${LETTER})` : "";
    const last = groups.at(-1);
    if (last?.end === end) last.patterns.push(patternOf(form));
    else groups.push({ end, patterns: [patternOf(form)] });
  }
  return groups.map(({ end, patterns }) => `(?:${patterns.join("|")})${end}`).join("|");
}

/** Whether the word at a position is not the end of another one. */
function beginsHere(text: string, at: number): boolean {
  LETTER_BEFORE.lastIndex = at;
  if (!LETTER_BEFORE.test(text)) return true;
  return !BEGINS_WITH_LETTER.test(text.slice(at, at + 2)) || endsEscape(text, at);
}

function placeholdersIn(text: string, isPlaceholder: (type: string) => boolean): Place[] {
  if (!text.includes("[redacted:")) return [];
  return [...text.matchAll(PLACEHOLDER)]
    .filter(([, type = ""]) => isPlaceholder(type))
    .map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
}
