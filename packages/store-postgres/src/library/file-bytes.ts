import type { FileRange } from "@sm/core/library-parts";
import type { RemoteFiles } from "@sm/core/remote";
import { notFound } from "./not-found.ts";

/** What is read at once. */
const PIECE_BYTES = 1024 * 1024;

/** Reads the bytes of files as their machines have sent them. */
export class FileBytes {
  readonly #files: RemoteFiles;

  constructor(files: RemoteFiles) {
    this.#files = files;
  }

  /** Up to the end that the file has when the first bytes are asked for. Rejects with AppError NOT_FOUND. */
  async *of(path: string, { offset = 0, length }: FileRange, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const file = await this.#files.file(path);
    if (file === null) throw notFound(path);
    const end = length === undefined ? file.size : Math.min(file.size, offset + length);
    for (let at = offset; at < end; ) {
      signal?.throwIfAborted();
      const { start, bytes } = await this.#files.read(file.content, at, Math.min(PIECE_BYTES, end - at));
      const piece = bytes.subarray(at - start, Math.min(bytes.length, end - start));
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  }
}
