/** The index failed, rather than the request. */
export class IndexError extends Error {
  override readonly name = "IndexError";
  readonly kind: "damaged" | "unwritable";

  constructor(kind: "damaged" | "unwritable", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * Decodes data of the index. A damaged page may look valid to SQLite and contain garbage; decoding errors then mean
 * that the index is damaged.
 */
export function decodeStored<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new IndexError("damaged", `The index contains invalid data: ${String(error)}`, error);
  }
}
