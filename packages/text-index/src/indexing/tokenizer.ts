import { randomFillSync } from "node:crypto";
import { foldRun } from "../analysis/fold.ts";
import { maySplitLower, partsOf } from "../analysis/identifier-parts.ts";
import { nextPayload, PAYLOAD_CHARACTERS, PAYLOAD_LIMIT } from "../analysis/payloads.ts";
import { limitWithin } from "../analysis/word-limit.ts";
import { MOST_NUMBERS, PIECE_UNITS, TERM_LIMIT, WORD_LIMIT } from "../wasm/constants.ts";
import { instantiate, type Program } from "../wasm/terms.ts";

/** Separates two lines. JSON strings contain no lower byte. */
const SPACE = 0x20;

/** Character classes: separator, non-ASCII to be folded, or ASCII letter or digit. */
const NONE = 0;
const BEYOND_ASCII = 1;
const OF_WORD = 2;
const KINDS = new Uint8Array(0x10000).fill(BEYOND_ASCII, 0x80);
for (let code = 0; code < 0x80; code++) KINDS[code] = /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? OF_WORD : NONE;

/** First two letters of lower-case words that may have parts. */
const SPLIT_BEGINNINGS: [number, number][] = [];
for (let first = 0; first < 0x80; first++) {
  for (let second = 0; second < 0x80; second++) {
    if (KINDS[first] === OF_WORD && maySplitLower(first, second)) SPLIT_BEGINNINGS.push([first, second]);
  }
}

/**
 * Splits texts into the terms of `tokenize` and numbers distinct terms from 0 in order of appearance. ASCII is
 * processed in WebAssembly, in half the time; other rules are implemented here. A word with parts also gets a number,
 * as an identifier term, which is in no list.
 */
export class Tokenizer {
  readonly #terms: Program;
  /** Memory of the WebAssembly instance. */
  #memory: ArrayBuffer | null = null;
  #piece: Buffer = Buffer.alloc(0);
  #numbers = new Uint32Array(0);
  #wordUnits = new Uint16Array(0);
  #wordEnds = new Uint8Array(0);
  #termUnits = new Uint16Array(0);
  #into: { append(numbers: Uint32Array): void } | null = null;
  /** Current text, start of the current piece, and end. */
  #text = "";
  #from = 0;
  #to = 0;
  /** Whether the piece is the content of a JSON string. */
  #isJson = false;
  #jsonLength = 0;
  /** A folded word. One unit more than the limit shows that it must be truncated. */
  readonly #word = new Uint16Array(WORD_LIMIT + 1);
  #length = 0;

  constructor() {
    const host = {
      fold: (at: number, end: number) =>
        this.#isJson ? this.#splitBytes(at, end) : this.#splitFolded(this.#from + at) - this.#from,
      parts: (length: number) => {
        this.#follow();
        return partsOf(this.#wordUnits, length, this.#wordEnds);
      },
      take: (count: number) => this.#take(count),
    };
    this.#terms = instantiate({ host });
    const [start = 0n, factor = 0n] = randomFillSync(new BigInt64Array(2));
    this.#terms.setHash(start, factor);
    for (const character of PAYLOAD_CHARACTERS) this.#terms.setPayload(character.charCodeAt(0), PAYLOAD_LIMIT);
    for (const [first, second] of SPLIT_BEGINNINGS) this.#terms.setMaySplit(first, second);
  }

  /** Number of distinct terms. */
  get size(): number {
    return this.#terms.size();
  }

  /** Bytes of memory, which never shrinks. */
  get bytes(): number {
    return this.#terms.memory.buffer.byteLength;
  }

  /** Removes all terms, but keeps the memory. */
  clear(): void {
    this.#terms.clear();
  }

  /** Returns the number of a term that is not from a text. */
  add(term: string): number {
    if (term.length > TERM_LIMIT) throw new RangeError("A term is too long.");
    this.#follow();
    for (let at = 0; at < term.length; at++) this.#termUnits[at] = term.charCodeAt(at);
    return this.#terms.add(term.length);
  }

  /** Lists all terms by number. */
  terms(): string[] {
    const { buffer } = this.#terms.memory;
    const start = this.size > 0 ? this.#terms.textOf(0) : 0;
    const text = Buffer.from(buffer, start, this.#terms.textLength());
    // Substrings of one string cost a tenth of separate decoding.
    const ascii = text.toString("latin1");
    let at = 0;
    return Array.from({ length: this.size }, (_, number) => {
      const tag = this.#terms.tagOf(number);
      const end = at + (tag >>> 1);
      const term = tag % 2 === 1 ? text.toString("utf16le", at, end) : ascii.slice(at, end);
      at = end;
      return term;
    });
  }

  /** Lists all numbers in UTF-16 order of the terms; valid until the next call of another method. */
  sorted(): Uint32Array {
    const address = this.#terms.sorted();
    return new Uint32Array(this.#terms.memory.buffer, address, this.size);
  }

  /** Appends the numbers of a text's terms in order. */
  run(text: string, into: { append(numbers: Uint32Array): void }): void {
    this.#into = into;
    this.#text = text;
    for (let at = 0; at < text.length; ) {
      const payload = nextPayload(text, at);
      this.#to = payload.start;
      while (at < payload.start) at += this.#splitPiece(at);
      at = payload.end;
    }
    this.#take(this.#terms.takeRest());
    this.#text = "";
  }

  /**
   * Loads lines to be split without decoding, each the content of a JSON string in UTF-8.
   *
   * @param pieces alternating start and end of each line.
   * @returns `false` if they must be decoded: too long, invalid, or containing escaped letters or a payload.
   */
  loadJson(bytes: Uint8Array, pieces: readonly number[]): boolean {
    this.#follow();
    let length = 0;
    for (let at = 0; at < pieces.length; at += 2) {
      const start = pieces[at] as number;
      const end = pieces[at + 1] as number;
      if (length + 1 + end - start > 2 * PIECE_UNITS) return false;
      this.#piece[length++] = SPACE;
      this.#piece.set(bytes.subarray(start, end), length);
      length += end - start;
    }
    this.#jsonLength = length;
    return this.#terms.loadJson(length) === 1;
  }

  /** Appends the term numbers of the loaded lines. */
  runLoaded(into: { append(numbers: Uint32Array): void }): void {
    this.#into = into;
    this.#isJson = true;
    this.#terms.splitLoaded(this.#jsonLength);
    this.#isJson = false;
    this.#take(this.#terms.takeRest());
    this.#text = "";
  }

  /** Returns the length of the processed text. */
  #splitPiece(from: number): number {
    const end = Math.min(this.#to, from + PIECE_UNITS);
    this.#from = from;
    this.#follow();
    const isWhole = end - from === this.#text.length;
    this.#piece.write(isWhole ? this.#text : this.#text.slice(from, end), 0, "utf16le");
    return this.#terms.split(end - from, end < this.#to);
  }

  #take(count: number): void {
    this.#follow();
    this.#into?.append(this.#numbers.subarray(0, count));
  }

  /** Splits a word of the piece. Returns its end. */
  #splitBytes(at: number, end: number): number {
    this.#follow();
    this.#text = this.#piece.toString("utf8", at, end);
    this.#to = this.#text.length;
    this.#splitFolded(0);
    return end;
  }

  /** Splits a run that contains non-ASCII characters. Returns its end. */
  #splitFolded(from: number): number {
    const text = this.#text;
    const to = this.#to;
    let at = from;
    while (at < to) {
      const code = text.charCodeAt(at);
      const kind = KINDS[code];
      if (kind === NONE) break;
      if (kind === BEYOND_ASCII) {
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
      if (KINDS[code] === NONE) this.#endFolded();
      else this.#append(code);
    }
  };

  #append(code: number): void {
    if (this.#length <= WORD_LIMIT) this.#word[this.#length++] = code;
  }

  #endFolded(): void {
    if (this.#length === 0) return;
    const length = cutLength(this.#word, this.#length);
    this.#follow();
    for (let at = 0; at < length; at++) this.#wordUnits[at] = this.#word[at] as number;
    this.#length = 0;
    this.#terms.pushFolded(length);
  }

  /** Refreshes the views after the memory has grown. */
  #follow(): void {
    const { buffer } = this.#terms.memory;
    if (this.#memory === buffer) return;
    this.#memory = buffer;
    this.#piece = Buffer.from(buffer, this.#terms.addressOfPiece(), 2 * PIECE_UNITS);
    this.#numbers = new Uint32Array(buffer, this.#terms.addressOfNumbers(), MOST_NUMBERS);
    this.#wordUnits = new Uint16Array(buffer, this.#terms.addressOfWord(), WORD_LIMIT);
    this.#wordEnds = new Uint8Array(buffer, this.#terms.addressOfEnds(), WORD_LIMIT);
    this.#termUnits = new Uint16Array(buffer, this.#terms.addressOfTerm(), TERM_LIMIT);
  }
}

/** Truncates a word without splitting a surrogate pair. */
function cutLength(word: Uint16Array, length: number): number {
  return length <= WORD_LIMIT ? length : limitWithin(word[WORD_LIMIT - 1] as number, WORD_LIMIT);
}
