/** The time at which the texts below are typed, by the local clock wherever the tests run: a Saturday. */
export const TYPED_AT = new Date(2026, 10, 21, 15, 4, 5, 678).getTime();

/** Local time; months are counted from 1. */
function local(year: number, month: number, day = 1, hours = 0, minutes = 0, seconds = 0, milliseconds = 0): number {
  return new Date(year, month - 1, day, hours, minutes, seconds, milliseconds).getTime();
}

/** What can be typed wherever a time in the past is asked for, and the milliseconds since 1970 that it stands for. */
export const TYPED_TIMES: readonly [text: string, time: number][] = [
  ["2026", local(2026, 1)],
  ["2026-11", local(2026, 11)],
  ["2026-11-01", local(2026, 11)],
  ["2026-11-21T10:20", local(2026, 11, 21, 10, 20)],
  ["2026-11-21t10:20:30", local(2026, 11, 21, 10, 20, 30)],
  ["2026-11-21T10:20Z", Date.UTC(2026, 10, 21, 10, 20)],
  ["2026-11-21T10:20:30.5+05:30", Date.UTC(2026, 10, 21, 4, 50, 30, 500)],
  ["now", TYPED_AT],
  ["today", local(2026, 11, 21)],
  ["yesterday", local(2026, 11, 20)],
  ["Monday", local(2026, 11, 16)],
  ["last-week", local(2026, 11, 9)],
  ["last-month", local(2026, 10)],
  ["this-year", local(2026, 1)],
  ["90min", TYPED_AT - 90 * 60_000],
  ["24h", TYPED_AT - 24 * 3_600_000],
  ["7d", local(2026, 11, 14, 15, 4, 5, 678)],
  ["30d", local(2026, 10, 22, 15, 4, 5, 678)],
  ["2w", local(2026, 11, 7, 15, 4, 5, 678)],
  ["3mo", local(2026, 8, 21, 15, 4, 5, 678)],
  ["1y", local(2025, 11, 21, 15, 4, 5, 678)],
];

/** What can be typed wherever a time to come is asked for. */
export const TYPED_TIMES_AHEAD: readonly [text: string, time: number][] = [
  ["2027", local(2027, 1)],
  ["2027-02-01", local(2027, 2)],
  ["2026-11-21T23:00", local(2026, 11, 21, 23)],
  ["tomorrow", local(2026, 11, 22)],
  ["Saturday", local(2026, 11, 28)],
  ["mon", local(2026, 11, 23)],
  ["next-week", local(2026, 11, 23)],
  ["next-month", local(2026, 12)],
  ["90min", TYPED_AT + 90 * 60_000],
  ["7d", local(2026, 11, 28, 15, 4, 5, 678)],
  ["3mo", local(2027, 2, 21, 15, 4, 5, 678)],
  ["1y", local(2027, 11, 21, 15, 4, 5, 678)],
];

/** What is no time anywhere, and how that is explained. */
export const NO_TIMES: readonly [text: string, problem: RegExp][] = [
  ["3m", /must be 3min for minutes or 3mo for months: 3m could be either/],
  ["soon", /must be a date such as .* an amount such as .*7d.* or a word such as/],
  ["7", /must be a date such as/],
  ["2026-02-30", /must be a date such as/],
  ["21.11.2026", /must be a date such as/],
];
