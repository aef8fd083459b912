import type { CanonicalAddress } from "./address.ts";

const INTERVAL_MS = 60_000;
/** Some 2 MB at ten times each. Whoever has more addresses than this may try more often, which helps nobody to guess 256 bits. */
const MOST_CLIENTS = 10_000;

/** Counts the wrong tokens of every client address over the last minute. */
export class WrongTokens {
  readonly #most: number;
  readonly #now: () => number;
  /** When they came; the client that sent one last is last. */
  readonly #times = new Map<string, number[]>();

  /** `most` of each client in a minute. */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Counts one more; gives the milliseconds to wait where that is too many, which then does not count, else `null`. */
  count(address: CanonicalAddress | null): number | null {
    const client = clientOf(address);
    const now = this.#now();
    const times = (this.#times.get(client) ?? []).filter((time) => time > now - INTERVAL_MS);
    const [oldest = now] = times;
    if (times.length >= this.#most) return oldest + INTERVAL_MS - now;
    this.#times.delete(client);
    this.#times.set(client, [...times, now]);
    if (this.#times.size > MOST_CLIENTS) {
      const [quietLongest = client] = this.#times.keys();
      this.#times.delete(quietLongest);
    }
    return null;
  }
}

/** One subscriber has at least a /64 of IPv6. Unknown addresses count as one. */
function clientOf(address: CanonicalAddress | null): string {
  if (address === null) return "unknown";
  return address.includes(":") ? address.split(":").slice(0, 4).join(":") : address;
}
