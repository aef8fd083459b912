import { Decompress } from "fzstd";

/** A megabyte of a transcript becomes some ten. */
const PIECE_BYTES = 64 * 1024;
/** Larger texts are refused: a compressed file must be unpacked to read any part of it. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;
/** Larger texts are unpacked again for each use. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** The file that was unpacked last by this thread: it is read several times in a row, page by page. */
let kept: { key: string; text: Buffer } | null = null;

/**
 * Unpacks a file compressed with zstd.
 *
 * @param key equal for the same content only.
 * @param read reads the next bytes into the buffer; returns their number, 0 at the end.
 * @throws an error with the code `EIO` if it is damaged, incomplete, or larger than 256 MiB.
 */
export function unpacked(key: string, read: (buffer: Buffer) => number): Buffer {
  if (kept?.key === key) return kept.text;
  kept = null;
  const unpacking = new Unpacking();
  const pieces: Uint8Array[] = [];
  for (;;) {
    // Pieces of the text may be views of it.
    const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
    const count = read(buffer);
    pieces.push(...unpacking.push(buffer.subarray(0, count), count === 0));
    if (count === 0) break;
  }
  const text = Buffer.concat(pieces);
  if (text.length <= KEPT_BYTES) kept = { key, text };
  return text;
}

/** The same piece by piece, for a file that is sent as a whole. */
export async function* unpackedPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const unpacking = new Unpacking();
  for await (const piece of source) {
    for (const text of unpacking.push(piece, false)) yield Buffer.from(text.buffer, text.byteOffset, text.length);
  }
  for (const text of unpacking.push(new Uint8Array(0), true)) yield Buffer.from(text);
}

class Unpacking {
  readonly #stream = new Decompress((piece) => this.#add(piece));
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  push(packed: Uint8Array, isLast: boolean): Uint8Array[] {
    this.#pieces = [];
    try {
      this.#stream.push(packed, isLast);
    } catch (error) {
      throw error instanceof TextTooLarge
        ? unreadable("its text is larger than 256 MiB")
        : unreadable("its compression is damaged, or it is not complete", error);
    }
    return this.#pieces;
  }

  /** Each byte of compressed data may stand for many thousands. */
  #add(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > MAX_TEXT_BYTES) throw new TextTooLarge();
    this.#pieces.push(piece);
  }
}

class TextTooLarge extends Error {}

function unreadable(reason: string, cause?: unknown): NodeJS.ErrnoException {
  return Object.assign(new Error(`EIO: the file cannot be unpacked: ${reason}`, { cause }), { code: "EIO" });
}
