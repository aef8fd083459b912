import { InvalidArgumentError } from "commander";

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

const DATE = /^\d{4}-\d\d-\d\d(?:T.*)?$/;

/** Reads an option that is a time before now: a date, handed on as it is, or a distance such as `7d`, `12h`, `2w`. */
export function pastTime(text: string): string {
  return readTime(text, -1);
}

/** Reads an option that is a time after now, written as `pastTime` wants it. */
export function futureTime(text: string): string {
  return readTime(text, 1);
}

function readTime(text: string, direction: 1 | -1): string {
  if (DATE.test(text)) return text;
  const [, amount, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) {
    return new Date(Date.now() + direction * Number(amount) * UNITS[unit as keyof typeof UNITS]).toISOString();
  }
  throw new InvalidArgumentError("It has to be a date such as 2026-01-31, or a distance such as 30d or 12h.");
}

/** Reads an option that is a whole number; whether it is one that makes sense is the service's to say. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It has to be a whole number.");
}
