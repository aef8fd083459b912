import { createHash } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { work } from "./work.ts";

/** Stored as it is, because packing makes it no smaller. */
const UNPACKED = 0;
/** While there is much to keep: 5 would take four times as long. */
export const FAST_QUALITY = 1;
/** Higher ones take three times as long for 1 % (measured). */
export const SETTLED_QUALITY = 5;

const MIN_WINDOW_BITS = 16;
const MAX_WINDOW_BITS = 20;

export interface Packed {
  /** Of brotli; 0: stored as it is. */
  quality: number;
  bytes: Uint8Array;
}

export function pack(bytes: Uint8Array, quality: number): Packed {
  work.bytesPacked += bytes.length;
  const packed = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  return packed.length < bytes.length ? { quality, bytes: packed } : { quality: UNPACKED, bytes };
}

/** @throws an error of zlib where the bytes are damaged. */
export function unpack({ quality, bytes }: Packed, size: number): Uint8Array {
  work.bytesUnpacked += size;
  return quality === UNPACKED ? bytes : brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, size) });
}

export function hashOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** A window that is larger than what is packed would only take memory. */
function windowBits(size: number): number {
  return Math.min(MAX_WINDOW_BITS, Math.max(MIN_WINDOW_BITS, Math.ceil(Math.log2(size + 16))));
}
