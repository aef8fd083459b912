import { QUARTER_MS } from "./activity.ts";

export const QUARTERS_AN_HOUR = 4;
export const QUARTERS_A_DAY = 96;
/** Days of other centuries are told by the clocks of these: nobody works there, and each day takes some microseconds. */
const EARLIEST = Date.UTC(1900, 0) / QUARTER_MS;
const LATEST = Date.UTC(2100, 0) / QUARTER_MS;

/** Whether this is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The name of the zone that this machine's clock shows. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * The clocks of a time zone, in quarters of an hour: all zones of today are whole quarters apart. What was asked of
 * `Intl` is remembered.
 */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  /** By quarter of the day's begin: days on which the clocks are not changed need no more. */
  readonly #offsets = new Map<number, number>();
  /** The day that was asked for last, and the offset that it has from begin to end. */
  #day = Number.NaN;
  #dayOffset = 0;

  /** @throws RangeError where there is no zone of this name. */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
    this.name = this.#format.resolvedOptions().timeZone;
  }

  /** What the clocks show at the begin of a quarter, as if it were a quarter in UTC. */
  local(quarter: number): number {
    if (quarter >= this.#day && quarter < this.#day + QUARTERS_A_DAY) return quarter + this.#dayOffset;
    const known = Math.max(EARLIEST, Math.min(LATEST, quarter));
    const day = known - modulo(known, QUARTERS_A_DAY);
    const offset = this.#offset(day);
    if (offset !== this.#offset(day + QUARTERS_A_DAY)) return quarter + this.#offset(known);
    this.#day = day;
    this.#dayOffset = offset;
    return quarter + offset;
  }

  /** Whether the hour of UTC that a quarter lies in is an hour on the clocks too. */
  isWithinAnHour(quarter: number): boolean {
    const first = quarter - modulo(quarter, QUARTERS_AN_HOUR);
    const local = this.local(first);
    return local % QUARTERS_AN_HOUR === 0 && this.local(first + QUARTERS_AN_HOUR - 1) === local + QUARTERS_AN_HOUR - 1;
  }

  #offset(quarter: number): number {
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      offset = this.#ask(quarter);
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }

  #ask(quarter: number): number {
    const parts = this.#format.formatToParts(quarter * QUARTER_MS);
    const written = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
    // "GMT", "GMT+05:30", of times long ago "GMT-00:44:30".
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(written) ?? [];
    const quarters = Number(hours ?? 0) * 4 + Math.round(Number(minutes ?? 0) / 15);
    return sign === "-" ? -quarters : quarters;
  }
}

/** The rest of a division of whole numbers that has the sign of the divisor. `%` takes longer (measured). */
export function modulo(value: number, divisor: number): number {
  return value - divisor * Math.floor(value / divisor);
}
