/** What the user wants to spend at most, in US dollars; `null` where nothing is set. Weeks begin on Monday. */
export interface Budget {
  day_usd: number | null;
  week_usd: number | null;
  month_usd: number | null;
}
