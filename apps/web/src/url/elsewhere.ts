/** What the address says of the session that is left. */
export const ELSEWHERE = {
  entry: undefined,
  leaf: undefined,
  mark: undefined,
  find: undefined,
  compare: undefined,
} as const;
