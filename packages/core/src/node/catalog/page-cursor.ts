import { AppError } from "../../errors.ts";

/** A session in a sorted list. */
export interface Place {
  value: string | number;
  key: number;
}

/** A page, with one place more if there is another page, and how many places there are altogether. */
export interface Places {
  places: Place[];
  total: number;
  /** Bytes of all files together; `null` where they are not added up. */
  size: number | null;
}

/** Writes a position in a list so that the client can hand it back; what it holds is nobody else's business. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/**
 * Reads a cursor that `isPosition` accepts.
 *
 * @throws AppError INVALID_PAYLOAD for anything that {@link encodeCursor} did not write for the same list.
 */
export function decodeCursor<T>(cursor: string, isPosition: (value: unknown) => value is T): T {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (isPosition(value)) return value;
  } catch {
    // Falls through: text that is no JSON is as useless as JSON of another shape.
  }
  throw new AppError("INVALID_PAYLOAD", "The cursor is not of this list; start again without it.", {
    details: [{ path: "cursor", message: "Not a cursor of this list." }],
  });
}
