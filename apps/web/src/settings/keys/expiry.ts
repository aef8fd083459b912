/** How long a new key may be used; `never` ends only when it is revoked. */
export const LIFETIMES = ["7d", "30d", "90d", "365d", "never"] as const;

export type Lifetime = (typeof LIFETIMES)[number];

const DAY_MS = 86_400_000;

/** When a key of this lifetime ends, as commands take it; `undefined`: it does not. */
export function expiryOf(lifetime: Lifetime, now: Date): string | undefined {
  if (lifetime === "never") return undefined;
  return new Date(now.getTime() + Number.parseInt(lifetime, 10) * DAY_MS).toISOString();
}
