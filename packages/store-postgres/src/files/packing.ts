import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, createBrotliDecompress } from "node:zlib";

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/**
 * 78 MB/s to 30 % of the bytes, 2 % less than with 1 at half its speed (`docs/adr/0027-vault.md`). 5 would save as much
 * again, but the machines of a hub send all they have at first.
 */
const QUALITY = 3;
const AS_IT_IS = 0;
/** Packing makes fewer no smaller. */
const LEAST_BYTES = 128;
const WINDOW_BITS = 20;
/** More than what comes out, so that it does in one piece: each piece of Node's default, 16 KB, waits for a thread. */
const SPARE_BYTES = 64;

export interface Packed {
  /** Of brotli; 0: as it is. */
  quality: number;
  packed: Buffer;
}

/** Packs bytes in a thread of Node's own. */
export async function pack(bytes: Buffer): Promise<Packed> {
  if (bytes.length < LEAST_BYTES) return { quality: AS_IT_IS, packed: bytes };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  // Transcripts become a third.
  const packed = await compress(bytes, { params, chunkSize: SPARE_BYTES + Math.ceil(bytes.length / 2) });
  return packed.length < bytes.length ? { quality: QUALITY, packed } : { quality: AS_IT_IS, packed: bytes };
}

/** Rejects with an error of zlib where the bytes are damaged. */
export async function unpack({ quality, packed }: Packed, size: number): Promise<Buffer> {
  return quality === AS_IT_IS
    ? packed
    : decompress(packed, { maxOutputLength: Math.max(1, size), chunkSize: size + SPARE_BYTES });
}

/** Unpacked at a time. */
const STEP_BYTES = 64 * 1024;

/**
 * Unpacks the first bytes, at least `length` of them, of which the packed ones may be the first too. Gives fewer where
 * that are not enough. Rejects with an error of zlib where they are damaged.
 */
export function unpackStart({ quality, packed }: Packed, length: number): Promise<Buffer> {
  if (quality === AS_IT_IS) return Promise.resolve(packed);
  return new Promise((resolve, reject) => {
    const unpacking = createBrotliDecompress({ chunkSize: STEP_BYTES, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    const steps: Buffer[] = [];
    let bytes = 0;
    unpacking.on("error", reject);
    unpacking.on("end", () => resolve(Buffer.concat(steps)));
    unpacking.on("data", (step: Buffer) => {
      steps.push(step);
      bytes += step.length;
      if (bytes < length) return;
      unpacking.destroy();
      resolve(Buffer.concat(steps));
    });
    unpacking.end(packed);
  });
}

export function hashOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
