import type { AttachedTerminal } from "@sm/core";
import { TerminalModes } from "./modes.ts";
import { endOfSequence, type SequenceState } from "./sequences.ts";

/** What is kept at least, in UTF-8. */
const SCROLLBACK_BYTES = 1024 * 1024;
/**
 * Output is kept in blocks of bytes, and forgotten block by block. As strings, all output of a flood would live just
 * long enough to become old in the eyes of the garbage collector: 30 MB of it piled up before they were collected.
 */
const BLOCK_BYTES = 256 * 1024;
/** Of a window that is drawn larger and smaller without end. */
const MOST_SIZES = 1_000;
/** Clears a terminal and all of its modes. */
const RESET = "\x1bc";

interface Block {
  firstSeq: number;
  /** Where in a sequence it begins. */
  state: SequenceState;
  bytes: Buffer;
  length: number;
  /** Where each output ends. */
  ends: number[];
}

interface Size {
  /** Number of the last output before it. */
  afterSeq: number;
  cols: number;
  rows: number;
}

/** Remembers the last output of a terminal by number, for those who attach to it later. */
export class OutputRecorder {
  /** The oldest first. */
  readonly #blocks: Block[] = [];
  /** The oldest first, that of the oldest output which is kept. */
  readonly #sizes: Size[];
  #length = 0;
  #seq = 0;
  /** Of a terminal that has read all that is forgotten. */
  readonly #modes = new TerminalModes();
  /** Of the block that was forgotten last, for the next. */
  #spare: Buffer | null = null;

  constructor(cols: number, rows: number) {
    this.#sizes = [{ afterSeq: 0, cols, rows }];
  }

  /** Number of the last output; 0 where there was none. */
  get seq(): number {
    return this.#seq;
  }

  /** Remembers an output, which begins in `state`; returns its number. */
  record(data: string, state: SequenceState): number {
    this.#seq += 1;
    const size = Buffer.byteLength(data);
    let block = this.#blocks.at(-1);
    if (block === undefined || block.length + size > block.bytes.length) {
      block = { firstSeq: this.#seq, state, bytes: this.#takeBytes(size), length: 0, ends: [] };
      this.#blocks.push(block);
    }
    block.length += block.bytes.write(data, block.length);
    block.ends.push(block.length);
    this.#length += size;
    this.#forget();
    return this.#seq;
  }

  /** Remembers that what comes is written for another size. */
  resize(cols: number, rows: number): void {
    if (this.#sizes.at(-1)?.afterSeq === this.#seq) this.#sizes.pop();
    const { cols: lastCols, rows: lastRows } = this.#sizes.at(-1) ?? {};
    if (cols === lastCols && rows === lastRows) return;
    this.#sizes.push({ afterSeq: this.#seq, cols, rows });
    // Its output counts to the oldest.
    if (this.#sizes.length > MOST_SIZES) this.#sizes.splice(1, 1);
  }

  #takeBytes(atLeast: number): Buffer {
    const spare = this.#spare;
    this.#spare = null;
    const size = Math.max(atLeast, BLOCK_BYTES);
    return spare !== null && spare.length >= size ? spare : Buffer.allocUnsafeSlow(size);
  }

  #forget(): void {
    for (;;) {
      const oldest = this.#blocks[0];
      if (oldest === undefined || this.#length - oldest.length < SCROLLBACK_BYTES) return;
      this.#blocks.shift();
      this.#length -= oldest.length;
      this.#modes.read(oldest.bytes.toString("utf8", 0, oldest.length));
      this.#spare = oldest.bytes;
      this.#forgetSizes();
    }
  }

  #forgetSizes(): void {
    const lastGone = (this.#blocks[0]?.firstSeq ?? 1) - 1;
    for (;;) {
      const next = this.#sizes[1];
      if (next === undefined || next.afterSeq > lastGone) return;
      this.#sizes.shift();
    }
  }

  /**
   * What came after output `afterSeq`, with the sizes for which it was written. Everything for `null`, and for a number
   * of which the output is gone, with what clears the terminal for it. Where that is not from the beginning, it begins
   * with the first complete sequence, and with the modes that were set before.
   */
  replay(afterSeq: number | null): Pick<AttachedTerminal, "data" | "sizes"> {
    const oldest = this.#blocks[0];
    const firstSeq = oldest?.firstSeq ?? 1;
    if (afterSeq !== null && afterSeq >= firstSeq - 1 && afterSeq <= this.#seq) {
      const data = this.#between(afterSeq, this.#seq);
      return { data, sizes: this.#sizesAfter(afterSeq, 0, 0) };
    }
    const text = this.#between(firstSeq - 1, this.#seq);
    const begin = endOfSequence(oldest?.state ?? "text", text);
    const first = `${afterSeq === null ? "" : RESET}${this.#modes.sequences}`;
    return { data: first + text.slice(begin), sizes: this.#sizesAfter(firstSeq - 1, begin, first.length) };
  }

  /** For the output after `seq` of which the first `cut` characters are left out, and which stands behind `first`. */
  #sizesAfter(seq: number, cut: number, first: number): AttachedTerminal["sizes"] {
    const sizes: AttachedTerminal["sizes"] = [];
    let length = 0;
    let reached = seq;
    for (const { afterSeq, cols, rows } of this.#sizes) {
      if (afterSeq > reached) {
        length += this.#between(reached, afterSeq).length;
        reached = afterSeq;
      }
      // What was before the first character is of no use.
      if (length <= cut) sizes.pop();
      sizes.push([length <= cut ? 0 : first + length - cut, cols, rows]);
    }
    return sizes;
  }

  #between(after: number, last: number): string {
    const texts: string[] = [];
    for (const block of this.#blocks) {
      const begin = endOf(block, after);
      const end = endOf(block, last);
      if (begin < end) texts.push(block.bytes.toString("utf8", begin, end));
    }
    return texts.join("");
  }
}

/** Where the output with this number ends in a block, in bytes; at its end where that comes later. */
function endOf(block: Block, seq: number): number {
  if (seq < block.firstSeq) return 0;
  return block.ends[seq - block.firstSeq] ?? block.length;
}
