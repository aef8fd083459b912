import { MEDIAN_OF_MEAN } from "../constants";

/** See `riceParameter` in TypeScript. */
export function riceParameter(total: i32, count: i32): i32 {
  // The exponent is the logarithm of what it would be without its fraction.
  return i32(reinterpret<u64>((f64(total) * MEDIAN_OF_MEAN) / f64(count) + 1) >> 52) - 1023;
}
