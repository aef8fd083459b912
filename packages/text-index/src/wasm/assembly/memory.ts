/** Of 64 kB: two gigabytes, so that every address is a positive number in JavaScript. */
const MOST_PAGES: u64 = 1 << 15;

/** Makes memory reach up to an address. Traps where it cannot: the program is of no use any more. */
export function reach(end: u64): void {
  const pages = (end + 0xffff) >> 16;
  if (pages > MOST_PAGES) unreachable();
  const missing = i32(pages) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) unreachable();
}
