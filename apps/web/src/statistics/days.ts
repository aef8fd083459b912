const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Tells whether a text is a day of the calendar, such as `2026-03-04`, of a time in which there were sessions. */
export function isDay(text: string): boolean {
  return DAY.test(text) && text >= "1970" && text < "3000" && new Date(text).toJSON()?.startsWith(text) === true;
}

/** The day of the local calendar that a time is on. */
export function dayOf(time: Date): string {
  return new Date(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate())).toISOString().slice(0, 10);
}

/** Local midnight, at which a day begins. */
export function startOfDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days it is from one day to another. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** 0 for a Monday. */
export function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

export function mondayOf(day: string): string {
  return addDays(day, -weekdayOf(day));
}

export function earlierDay(a: string, b: string): string {
  if (a < b) return a;
  return b;
}

export function laterDay(a: string, b: string): string {
  if (a > b) return a;
  return b;
}
