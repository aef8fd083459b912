import { createHash, randomBytes } from "node:crypto";
import { AppError } from "../../errors.ts";

const PREFIX = "sm_";
const TOKEN = /^sm_[\w-]{43}$/;
/** At most once in this time it is written down that a token is used. */
export const USE_INTERVAL_MS = 60_000;

/** What of a token is kept: not the token itself. */
export interface TokenDigest {
  hash: Buffer;
  /** Not secret. */
  hint: string;
}

export function newToken(): TokenDigest & { token: string } {
  const token = PREFIX + randomBytes(32).toString("base64url");
  return { token, ...digest(token) };
}

/** `null` for a text that is no token. */
export function digestOf(token: string): TokenDigest | null {
  return TOKEN.test(token) ? digest(token) : null;
}

function digest(token: string): TokenDigest {
  return {
    hash: createHash("sha256").update(token).digest(),
    hint: token.slice(PREFIX.length, PREFIX.length + 6),
  };
}

/** @throws AppError `INVALID_PAYLOAD` for a time that is over. */
export function refusePast(expiresAt: string | null): void {
  if (expiresAt === null || Date.parse(expiresAt) > Date.now()) return;
  const issue = { path: "expires_at", message: "Must be a time in the future." };
  throw new AppError("INVALID_PAYLOAD", "A token cannot expire in the past.", { details: [issue] });
}

/** Without the id: somebody may have sent the token itself. */
export function unknownToken(): AppError {
  return new AppError("NOT_FOUND", "There is no token with this id; list_tokens lists all.");
}
