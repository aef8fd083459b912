import type { AttachedTerminal } from "@sm/core";
import { TerminalModes } from "./modes.ts";
import { endOfSequence, type SequenceState } from "./sequences.ts";

/** Minimum scrollback, in UTF-8. */
const SCROLLBACK_BYTES = 1024 * 1024;
/**
 * Output is stored and dropped in blocks of bytes. As strings, the output of a flood would live just long enough to be
 * promoted by the garbage collector: 30 MB accumulated before they were collected.
 */
const BLOCK_BYTES = 256 * 1024;
/** Limit for a window that is resized continuously. */
const MAX_SIZES = 1_000;
/** Clears a terminal and resets its modes. */
const RESET = "\x1bc";

interface Block {
  firstSeq: number;
  /** Parser state at its beginning. */
  state: SequenceState;
  bytes: Buffer;
  length: number;
  /** End of each output. */
  ends: number[];
}

interface Size {
  /** Number of the last output before the block. */
  afterSeq: number;
  cols: number;
  rows: number;
}

/** Keeps the numbered recent output of a terminal for clients that attach later. */
export class OutputRecorder {
  /** Oldest first. */
  readonly #blocks: Block[] = [];
  /** Oldest first, starting with that of the oldest output kept. */
  readonly #sizes: Size[];
  #length = 0;
  #seq = 0;
  /** Modes of a terminal after all dropped output. */
  readonly #modes = new TerminalModes();
  /** Buffer of the last dropped block, for reuse. */
  #spare: Buffer | null = null;

  constructor(cols: number, rows: number) {
    this.#sizes = [{ afterSeq: 0, cols, rows }];
  }

  /** Number of the last output; 0 if there was none. */
  get seq(): number {
    return this.#seq;
  }

  /** Records output that starts in `state`; returns its number. */
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

  /** Records that further output is for another size. */
  resize(cols: number, rows: number): void {
    if (this.#sizes.at(-1)?.afterSeq === this.#seq) this.#sizes.pop();
    const { cols: lastCols, rows: lastRows } = this.#sizes.at(-1) ?? {};
    if (cols === lastCols && rows === lastRows) return;
    this.#sizes.push({ afterSeq: this.#seq, cols, rows });
    // Its output is assigned to the oldest size.
    if (this.#sizes.length > MAX_SIZES) this.#sizes.splice(1, 1);
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
   * The output after number `afterSeq`, with its terminal sizes. Everything for `null`, and for a number that is no
   * longer kept, preceded by a reset. If the beginning is no longer kept, it starts with the first complete sequence
   * and with the modes set before.
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

  /** Sizes for the output after `seq`, without its first `cut` characters, placed after `first`. */
  #sizesAfter(seq: number, cut: number, first: number): AttachedTerminal["sizes"] {
    const sizes: AttachedTerminal["sizes"] = [];
    let length = 0;
    let reached = seq;
    for (const { afterSeq, cols, rows } of this.#sizes) {
      if (afterSeq > reached) {
        length += this.#between(reached, afterSeq).length;
        reached = afterSeq;
      }
      // Sizes before the first character are not needed.
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

/** Byte offset of the end of an output in a block; the block's end for later ones. */
function endOf(block: Block, seq: number): number {
  if (seq < block.firstSeq) return 0;
  return block.ends[seq - block.firstSeq] ?? block.length;
}
