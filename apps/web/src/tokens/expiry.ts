import { readTypedTime } from "@sm/core";

/** How long a new key may be used; `never` ends only when it is revoked. */
export const LIFETIMES = ["7d", "30d", "90d", "365d", "never"] as const;

export type Lifetime = (typeof LIFETIMES)[number];

/** When a key of this lifetime ends, as commands take it; `undefined`: it does not. */
export function expiryOf(lifetime: Lifetime, now: Date): string | undefined {
  if (lifetime === "never") return undefined;
  const { time, problem } = readTypedTime(lifetime, now.getTime(), "future");
  // A key without an end would be the worst answer to a lifetime that cannot be read.
  if (problem !== null) throw new Error(`The lifetime ${problem}.`);
  return new Date(time).toISOString();
}
