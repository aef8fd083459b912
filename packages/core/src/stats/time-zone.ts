import { QUARTER_MS } from "./activity.ts";

export const QUARTERS_AN_HOUR = 4;
export const QUARTERS_A_DAY = 96;
/** Days outside this range use the offsets of these, because each day costs some microseconds. */
const EARLIEST = Date.UTC(1900, 0) / QUARTER_MS;
const LATEST = Date.UTC(2100, 0) / QUARTER_MS;

/** Whether this is a valid time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** This machine's time zone. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Local time in a zone, in quarters of an hour: all current offsets are whole quarters. Caches results of `Intl`. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  /** By first quarter of the day; sufficient for days without a clock change. */
  readonly #offsets = new Map<number, number>();
  /** The last day, with its constant offset. */
  #day = Number.NaN;
  #dayOffset = 0;

  /** @throws RangeError for an unknown zone. */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
    this.name = this.#format.resolvedOptions().timeZone;
  }

  /** Local time of a quarter, as if in UTC. */
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

  /** Whether the UTC hour of a quarter is a whole local hour. */
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
    // "GMT", "GMT+05:30", historic offsets "GMT-00:44:30".
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(written) ?? [];
    const quarters = Number(hours ?? 0) * 4 + Math.round(Number(minutes ?? 0) / 15);
    return sign === "-" ? -quarters : quarters;
  }
}

/** Modulo with the sign of the divisor, for whole numbers. Faster than `%` (measured). */
export function modulo(value: number, divisor: number): number {
  return value - divisor * Math.floor(value / divisor);
}
