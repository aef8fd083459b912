/** Receives folded text with its source range (UTF-16 offsets); empty text extends the previous range. */
export type FoldSink = (text: string, start: number, end: number) => void;

interface Unit {
  /** `plain` is part of a word, or a space; `unspaced` belongs to a script without spaces between words. */
  kind: "plain" | "unspaced" | "symbol";
  text: string;
}

interface CharacterFold {
  units: readonly Unit[];
  /** Whether normalization may combine it with the preceding character. */
  joinsPrevious: boolean;
}

const SEPARATOR: Unit = { kind: "plain", text: " " };

/** Zero-width space (Cf) is a separator; lone surrogates and the replacement character stand for lost text. */
const LOST_OR_SPACE = /[\u200b\ufffd\p{Cs}]/u;
const INVISIBLE = /\p{Cf}/u;
const FULL_WIDTH_ASCII = /[\uff01-\uff5e]/;
/** Private use contains icon fonts, unassigned code points contain emoji newer than this runtime. */
const SYMBOL = /[\p{S}\p{Co}\p{Cn}]/u;
const WORD = /[\p{L}\p{M}\p{N}]/u;
/** Script extensions rather than scripts, because of the prolonged sound mark `ー`, shared by the kana. */
const UNSPACED =
  /^(?=[\p{L}\p{M}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Accents and vowel points. Marks of other scripts, such as Indic vowels, distinguish words and are kept. */
const DIACRITIC = /^(?=[\p{Mn}\p{Me}])[\p{sc=Inherited}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}]/u;
/** Characters that NFC may combine with a preceding one: marks, Hangul vowels and finals, half-width sound marks. */
const JOINS_PREVIOUS = /[\p{M}\u1160-\u11ff\uff9e\uff9f]/u;
const HALF_WIDTH_KANA = /[\uff66-\uff9f]+/g;
/** Limit of Unicode's stream-safe text; without it, normalizing hostile text takes quadratic time. */
const JOINED_LIMIT = 30;

/** Letters that normalization does not decompose into base and mark. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ı: "i",
  ς: "σ",
};

/** By code point, for the BMP only: caching all would allow a hostile text to fill the memory. */
const basicFolds = new Array<CharacterFold | undefined>(0x10000);
const otherFolds = new Map<number, CharacterFold>();
const MAX_OTHER_FOLDS = 4096;

/**
 * Folds a run of non-ASCII text so that it can be split at spaces: removes diacritics and case (except where the result
 * is ASCII), writes unspaced scripts as overlapping pairs plus the last character alone, and isolates symbols, without
 * repetitions.
 */
export function foldRun(text: string, from: number, to: number, write: FoldSink): void {
  // Written when the next character is known, which may pair with or repeat it.
  let pending: Unit | undefined;
  let pendingStart = from;
  let pendingEnd = from;
  let at = from;
  while (at < to) {
    const code = text.codePointAt(at) as number;
    const next = at + (code > 0xffff ? 2 : 1);
    const end = endOfJoined(text, next, to);
    const units = end === next ? foldCharacter(code).units : foldJoined(text.slice(at, end));
    if (units.length === 0) {
      if (pending !== undefined) pendingEnd = end;
      else write("", at, end);
    }
    for (const unit of units) {
      if (unit.kind === "symbol" && pending?.text === unit.text) {
        pendingEnd = end;
        continue;
      }
      if (pending !== undefined) {
        write(pending.text, pendingStart, pendingEnd);
        if (unit.kind === "unspaced" && pending.kind === "unspaced") write(unit.text, at, end);
        write(" ", pendingEnd, pendingEnd);
      }
      if (unit.kind === "plain") {
        write(unit.text, at, end);
        pending = undefined;
      } else {
        if (pending === undefined) write(" ", at, at);
        pending = unit;
        pendingStart = at;
        pendingEnd = end;
      }
    }
    at = end;
  }
  if (pending !== undefined) {
    write(pending.text, pendingStart, pendingEnd);
    write(" ", pendingEnd, pendingEnd);
  }
}

/** Whether a term is a single character of an unspaced script. */
export function isUnspacedCharacter(term: string): boolean {
  return UNSPACED.test(term) && term.length === String.fromCodePoint(term.codePointAt(0) ?? 0).length;
}

function endOfJoined(text: string, from: number, to: number): number {
  let end = from;
  for (let count = 0; end < to && count < JOINED_LIMIT; count += 1) {
    const code = text.codePointAt(end) ?? 0;
    if (!foldCharacter(code).joinsPrevious) break;
    end += code > 0xffff ? 2 : 1;
  }
  return end;
}

function foldJoined(text: string): Unit[] {
  const composed = text.replace(HALF_WIDTH_KANA, (kana) => kana.normalize("NFKC")).normalize("NFC");
  return Array.from(composed).flatMap((character) => foldCharacter(character.codePointAt(0) ?? 0).units);
}

function foldCharacter(code: number): CharacterFold {
  const known = code > 0xffff ? otherFolds.get(code) : basicFolds[code];
  if (known !== undefined) return known;
  const character = String.fromCodePoint(code);
  const fold = { units: unitsOf(character), joinsPrevious: JOINS_PREVIOUS.test(character) };
  if (code <= 0xffff) {
    basicFolds[code] = fold;
  } else {
    if (otherFolds.size === MAX_OTHER_FOLDS) otherFolds.clear();
    otherFolds.set(code, fold);
  }
  return fold;
}

function unitsOf(character: string): Unit[] {
  if (LOST_OR_SPACE.test(character)) return [SEPARATOR];
  if (INVISIBLE.test(character)) return [];
  if (SYMBOL.test(character) && !FULL_WIDTH_ASCII.test(character)) {
    return [{ kind: "symbol", text: character.toLowerCase() }];
  }
  return Array.from(character.normalize("NFKC")).flatMap((compatible): Unit[] =>
    UNSPACED.test(compatible)
      ? [{ kind: "unspaced", text: compatible }]
      : Array.from(compatible.normalize("NFD")).flatMap(unitOfLetter),
  );
}

function unitOfLetter(letter: string): Unit[] {
  if (DIACRITIC.test(letter)) return [];
  if (!WORD.test(letter)) return [SEPARATOR];
  if (letter < "\u0080") return [{ kind: "plain", text: letter }];
  const lower = letter.toLowerCase();
  return [{ kind: "plain", text: BASE_LETTERS[lower] ?? lower }];
}
