// How posting lists are divided and coded, for those who write them and those who read them: see `PostingsWriter`.

/** Documents that are coded together. */
export const BLOCK_DOCUMENTS = 128;
/** So many documents of a block can be leapt over by those who look for positions. */
export const GROUP_DOCUMENTS = 16;
export const GROUPS_OF_BLOCK = BLOCK_DOCUMENTS / GROUP_DOCUMENTS;

/** See `riceParameter` in TypeScript. */
export function riceParameter(total: i32, count: i32): i32 {
  // The exponent is the logarithm of what it would be without its fraction.
  return i32(reinterpret<u64>((f64(total) * 0.69) / f64(count) + 1) >> 52) - 1023;
}
