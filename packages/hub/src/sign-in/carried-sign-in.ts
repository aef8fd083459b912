import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { SignInSecrets } from "./provider.ts";

/** What a browser carries to the provider and back, so that any server can go on. */
export interface CarriedSignIn extends SignInSecrets {
  returnTo: string;
  /** Milliseconds since 1970. */
  begunAt: number;
}

/** Enough to find a password and a second factor. */
export const CARRIED_MINUTES = 10;

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypted, since the verifier of PKCE is secret, and proven to be the hub's own. */
export function seal(carried: CarriedSignIn, key: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  const sealed = [cipher.update(JSON.stringify(carried), "utf8"), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString("base64url");
}

/** `null` for what was not sealed with this key, and for what is older than ten minutes. */
export function unseal(text: string, key: Buffer, now = Date.now()): CarriedSignIn | null {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  let carried: CarriedSignIn;
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const plain = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    carried = JSON.parse(Buffer.concat(plain).toString()) as CarriedSignIn;
  } catch {
    return null;
  }
  return Math.abs(now - carried.begunAt) < CARRIED_MINUTES * 60_000 ? carried : null;
}
