import { MOST_NUMBERS } from "../../constants";
import { take } from "./host";

/** Of terms in the order of the text, for the host to take. */
export const numbers = memory.data(4 * MOST_NUMBERS, 16);
let numberCount = 0;

export function push(number: i32): void {
  if (numberCount === MOST_NUMBERS) take(takeRest());
  store<i32>(numbers + 4 * numberCount++, number);
}

/** Returns how many numbers there are, and begins anew. */
export function takeRest(): i32 {
  const count = numberCount;
  numberCount = 0;
  return count;
}
