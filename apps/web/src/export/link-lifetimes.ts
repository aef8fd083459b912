const DAY_MS = 86_400_000;

/** Days after which a link ends; the service takes 90 at most. */
export const LIFETIMES = ["1", "7", "30", "90"] as const;

export type Lifetime = (typeof LIFETIMES)[number];

/** When a link of this lifetime ends, as commands take it. */
export function endOf(lifetime: Lifetime, now: Date): string {
  // A minute less: the clock of this machine may be ahead of the service's.
  return new Date(now.getTime() + Number(lifetime) * DAY_MS - 60_000).toISOString();
}
