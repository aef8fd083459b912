import type { CanonicalAddress } from "./address.ts";

const INTERVAL_MS = 60_000;
/**
 * About 2 MB with ten failures each. A client with more addresses gets more attempts, which does not help to guess 256
 * bits.
 */
const MAX_CLIENTS = 10_000;

/** Counts wrong tokens per client address over the last minute. */
export class WrongTokens {
  readonly #most: number;
  readonly #now: () => number;
  /** Times by client, ordered by the client's latest failure. */
  readonly #times = new Map<string, number[]>();

  /** `most`: limit per client and minute. */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Counts a failure. Above the limit it is not counted; returns the milliseconds to wait then, otherwise `null`. */
  count(address: CanonicalAddress | null): number | null {
    const client = clientOf(address);
    const now = this.#now();
    const times = (this.#times.get(client) ?? []).filter((time) => time > now - INTERVAL_MS);
    const [oldest = now] = times;
    if (times.length >= this.#most) return oldest + INTERVAL_MS - now;
    this.#times.delete(client);
    this.#times.set(client, [...times, now]);
    if (this.#times.size > MAX_CLIENTS) {
      const [quietLongest = client] = this.#times.keys();
      this.#times.delete(quietLongest);
    }
    return null;
  }
}

/** One subscriber has at least an IPv6 /64. Unknown addresses count as one client. */
function clientOf(address: CanonicalAddress | null): string {
  if (address === null) return "unknown";
  return address.includes(":") ? address.split(":").slice(0, 4).join(":") : address;
}
