import { foldRun } from "../../search/fold.ts";
import { maySplitLower, partsOf, WORD_LIMIT } from "../../search/parts.ts";
import { nextPayload } from "../../search/payloads.ts";
import { HASH_FACTOR, HASH_START } from "./term-hash.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A list of numbers that grows in place. */
export class NumberList {
  numbers: Uint32Array;
  length = 0;

  /** @param room how many there is room for at first. */
  constructor(room = 1024) {
    this.numbers = new Uint32Array(room);
  }

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const grown = new Uint32Array(2 * this.length);
      grown.set(this.numbers);
      this.numbers = grown;
    }
    this.numbers[this.length++] = number;
  }

  clear(): void {
    this.length = 0;
  }
}

/** What characters are: nothing of a term, beyond ASCII and to be folded, or a letter or digit, which is its lower case. */
const NONE = 0;
const BEYOND_ASCII = 1;
const LOWER = new Uint8Array(0x10000).fill(BEYOND_ASCII, 0x80);
for (let code = 0; code < 0x80; code++) {
  const character = String.fromCharCode(code).toLowerCase();
  LOWER[code] = /[a-z0-9]/.test(character) ? character.charCodeAt(0) : NONE;
}

/** See `Segment`. */
const ID_PREFIX = "id:";
const SPACE = 0x20;

/** Words that are remembered with their parts: code has the same ones again and again. */
const MOST_WORDS = 1 << 16;
/** How much of a text is copied at a time: many times the longest word in ASCII, since longer ones are payloads. */
const PIECE_UNITS = 1 << 15;
/** A word and its parts, with what separates them. */
const LONGEST_IDENTIFIER = ID_PREFIX.length + 3 * WORD_LIMIT;

/**
 * Splits texts into the terms of `tokenize`, as numbers: one pass without a string for each term, which makes it many
 * times faster. A word that has parts is numbered too, as the term of an identifier; its number is in no list.
 */
export class Tokenizer {
  readonly #terms: Pick<Vocabulary, "numberOf">;
  /** A piece of a text. Read from an array, and changed to lower case in it, characters cost half. */
  readonly #piece = new Uint16Array(PIECE_UNITS + 1);
  readonly #pieceBytes = Buffer.from(this.#piece.buffer);
  /** A word that is folded or split. One character too many tells that it is to be cut. */
  readonly #word = new Uint16Array(WORD_LIMIT + 1);
  #length = 0;
  readonly #ends = new Uint8Array(WORD_LIMIT);
  readonly #identifier = new Uint16Array(LONGEST_IDENTIFIER);
  /** Words that may have parts, as they are after folding; for each the numbers of its parts, and where they end. */
  readonly #words = new Vocabulary();
  readonly #parts = new NumberList();
  readonly #partsEnds = new NumberList();
  #into = new NumberList();

  constructor(terms: Pick<Vocabulary, "numberOf">) {
    this.#terms = terms;
    for (let at = 0; at < ID_PREFIX.length; at++) this.#identifier[at] = ID_PREFIX.charCodeAt(at);
  }

  /** Forgets all numbers, for terms that are numbered anew. */
  clear(): void {
    this.#words.clear();
    this.#parts.clear();
    this.#partsEnds.clear();
  }

  /** Appends the numbers of a text's terms, in its order. */
  run(text: string, into: NumberList): void {
    this.#into = into;
    for (let at = 0; at < text.length; ) {
      const payload = nextPayload(text, at);
      while (at < payload.start) at = this.#splitPiece(text, at, payload.start);
      at = payload.end;
    }
  }

  /** Splits a piece of what lies between `from` and `to`. Returns where the next one begins. */
  #splitPiece(text: string, from: number, to: number): number {
    const piece = this.#piece;
    const terms = this.#terms;
    const into = this.#into;
    // What belongs to the module would be looked up anew for each character, which costs 3 %.
    const table = LOWER;
    const beyondAscii = BEYOND_ASCII;
    const hashStart = HASH_START;
    const hashFactor = HASH_FACTOR;
    const end = this.#load(text, from, to);
    let at = 0;
    while (at < end) {
      const start = at++;
      const first = table[piece[start] as number] as number;
      if (first === NONE) continue;
      let lower = first;
      let hash = hashStart;
      let innerCapitals = 0;
      if (lower !== beyondAscii) {
        hash = Math.imul(hash ^ lower, hashFactor);
        for (; ; at++) {
          const unit = piece[at] as number;
          lower = table[unit] as number;
          if (lower <= beyondAscii) break;
          innerCapitals |= lower ^ unit;
          hash = Math.imul(hash ^ lower, hashFactor);
        }
      }
      const length = at - start;
      if (lower === beyondAscii) {
        at = this.#splitFolded(text, from + start, to) - from;
      } else if (at === end && from + end < to) {
        // The word may go on in the next piece.
        return from + start;
      } else if (innerCapitals !== 0 || length > WORD_LIMIT || maySplitLower(first, piece[start + 1] as number)) {
        this.#pushWord(piece, start, Math.min(length, WORD_LIMIT));
      } else {
        piece[start] = first;
        into.push(terms.numberOf(piece, start, length, hash));
      }
    }
    return from + at;
  }

  /** Copies as much of a text as there is room for, and what ends a word behind it. Returns how much. */
  #load(text: string, from: number, to: number): number {
    const end = Math.min(to, from + PIECE_UNITS);
    this.#pieceBytes.write(end - from === text.length ? text : text.slice(from, end), 0, "utf16le");
    this.#piece[end - from] = 0;
    return end - from;
  }

  /** Splits what is joined by characters beyond ASCII, whatever they fold to. Returns its end. */
  #splitFolded(text: string, from: number, to: number): number {
    let at = from;
    while (at < to) {
      const code = text.charCodeAt(at);
      const lower = LOWER[code];
      if (lower === NONE) break;
      if (lower === BEYOND_ASCII) {
        const start = at;
        do at++;
        while (at < to && text.charCodeAt(at) >= 0x80);
        foldRun(text, start, at, this.#appendFolded);
      } else {
        this.#append(code);
        at++;
      }
    }
    this.#endFolded();
    return at;
  }

  readonly #appendFolded = (piece: string): void => {
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (LOWER[code] === NONE) this.#endFolded();
      else this.#append(code);
    }
  };

  #append(code: number): void {
    if (this.#length <= WORD_LIMIT) this.#word[this.#length++] = code;
  }

  #endFolded(): void {
    if (this.#length > 0) this.#pushWord(this.#word, 0, cutLength(this.#word, this.#length));
    this.#length = 0;
  }

  #pushWord(units: Uint16Array, start: number, length: number): void {
    let hash = HASH_START;
    for (let at = start; at < start + length; at++) hash = Math.imul(hash ^ (units[at] as number), HASH_FACTOR);
    if (this.#words.size === MOST_WORDS) this.clear();
    const known = this.#words.size;
    const number = this.#words.numberOf(units, start, length, hash);
    if (number === known) this.#numberParts(units, start, length);
    const end = this.#partsEnds.numbers[number] as number;
    for (let at = number === 0 ? 0 : (this.#partsEnds.numbers[number - 1] as number); at < end; at++) {
      this.#into.push(this.#parts.numbers[at] as number);
    }
  }

  #numberParts(units: Uint16Array, wordStart: number, length: number): void {
    const word = this.#word;
    for (let at = 0; at < length; at++) word[at] = units[wordStart + at] as number;
    const count = partsOf(word, length, this.#ends);
    let start = 0;
    for (let part = 0; part < count; part++) {
      const end = this.#ends[part] as number;
      let hash = HASH_START;
      for (let at = start; at < end; at++) {
        const unit = word[at] as number;
        const lower = unit < 0x80 ? (LOWER[unit] as number) : unit;
        word[at] = lower;
        hash = Math.imul(hash ^ lower, HASH_FACTOR);
      }
      this.#parts.push(this.#terms.numberOf(word, start, end - start, hash));
      start = end;
    }
    this.#partsEnds.push(this.#parts.length);
    if (count > 1) this.#numberIdentifier(length);
  }

  /** Of the word, which is in lower case by now. */
  #numberIdentifier(length: number): void {
    const word = this.#word;
    const identifier = this.#identifier;
    let used = ID_PREFIX.length;
    for (let at = 0; at < length; at++) identifier[used++] = word[at] as number;
    let part = 0;
    for (let at = 0; at < length; at++) {
      if (at === 0 || at === this.#ends[part - 1]) {
        identifier[used++] = SPACE;
        part++;
      }
      identifier[used++] = word[at] as number;
    }
    let hash = HASH_START;
    for (let at = 0; at < used; at++) hash = Math.imul(hash ^ (identifier[at] as number), HASH_FACTOR);
    this.#terms.numberOf(identifier, 0, used, hash);
  }
}

/** Cuts a word without splitting a surrogate pair. */
function cutLength(word: Uint16Array, length: number): number {
  if (length <= WORD_LIMIT) return length;
  const last = word[WORD_LIMIT - 1] as number;
  return last >= 0xd800 && last <= 0xdbff ? WORD_LIMIT - 1 : WORD_LIMIT;
}
