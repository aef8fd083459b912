import { AppError } from "../../errors.ts";
import type { ListOptions, SessionSort } from "../../library.ts";

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

/** Where a page of a list of sessions ended, and what the list was sorted by. */
interface ListPosition extends Place {
  sort: SessionSort;
  order: "asc" | "desc";
}

/**
 * Where a page of a list of sessions starts: behind this place, `null` for the first page.
 *
 * @throws AppError INVALID_PAYLOAD for a cursor of another list.
 */
export function listStart({ cursor, sort, order }: Pick<ListOptions, "cursor" | "sort" | "order">): Place | null {
  const isPosition = (value: unknown): value is ListPosition => isPositionOf(value, sort, order);
  return cursor === undefined ? null : decodeCursor(cursor, isPosition);
}

/** Writes where the next page of a list of sessions starts: behind this place. */
export function listCursor({ sort, order }: Pick<ListOptions, "sort" | "order">, last: Place): string {
  return encodeCursor({ sort, order, ...last } satisfies ListPosition);
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

function isPositionOf(value: unknown, sort: SessionSort, order: "asc" | "desc"): boolean {
  if (typeof value !== "object" || value === null) return false;
  const position = value as Partial<Record<keyof ListPosition, unknown>>;
  const valueType = sort === "title" ? "string" : "number";
  return (
    position.sort === sort &&
    position.order === order &&
    typeof position.value === valueType &&
    typeof position.key === "number"
  );
}
