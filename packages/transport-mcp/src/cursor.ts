import { ToolError } from "./tool-error.ts";

/** Where a read of a session goes on. */
export interface SessionCursor {
  session: string;
  /** The state of the session that the cursor was made in. */
  revision: string;
  /** `after` and `before` an entry, or `in` it, from a character on. */
  side: "after" | "before" | "in";
  entry: string;
  offset: number;
}

const SIDES = ["after", "before", "in"] as const;

/** Writes a cursor as opaque text. */
export function encodeCursor({ session, revision, side, entry, offset }: SessionCursor): string {
  return Buffer.from(JSON.stringify([session, revision, SIDES.indexOf(side), entry, offset])).toString("base64url");
}

/** @throws {ToolError} for text that is no cursor. */
export function decodeCursor(text: string): SessionCursor {
  const [session, revision, place, entry, offset] = partsOf(text);
  const side = typeof place === "number" ? SIDES[place] : undefined;
  if (
    side !== undefined &&
    typeof session === "string" &&
    typeof revision === "string" &&
    typeof entry === "string" &&
    Number.isSafeInteger(offset) &&
    Number(offset) >= 0
  ) {
    return { session, revision, side, entry, offset: Number(offset) };
  }
  throw new ToolError("invalid_cursor", "This is no cursor of read_session. Leave it out to start again.");
}

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** The error for a cursor of a session that has other entries now. */
export function sourceChanged(): ToolError {
  return new ToolError(
    "source_changed",
    "source_changed: the session has changed since this cursor was made. Read it again with its reference, without the cursor.",
  );
}
