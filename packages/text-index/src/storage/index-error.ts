/** A task that failed because of the index, not because of what was asked. */
export class IndexError extends Error {
  override readonly name = "IndexError";
  readonly kind: "damaged" | "unwritable";

  constructor(kind: "damaged" | "unwritable", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * Decodes what the index holds. SQLite keeps no checksums: a damaged page may look sound and hold nonsense, and then
 * the index is as damaged as if SQLite had said so.
 */
export function decodeStored<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new IndexError("damaged", `The index contains invalid data: ${String(error)}`, error);
  }
}
