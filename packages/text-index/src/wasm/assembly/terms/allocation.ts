import { reach } from "../memory";

/** At most so much is read behind the end of anything. */
export const PADDING = 64;

let allocated: usize = __heap_base;

/** What a table grows out of is not used again: at most as much as it has in the end. */
export function allocate(size: u64): usize {
  const start = allocated;
  const end = (u64(start) + size + 15) & ~15;
  reach(end);
  allocated = usize(end);
  return start;
}

/** Room until something is allocated. */
export function borrow(size: u64): usize {
  const start = allocate(size);
  allocated = start;
  return start;
}

/** Allocates room and copies there what is used of what has become too small. */
export function grown(from: usize, used: i32, room: u64): usize {
  const to = allocate(room);
  memory.copy(to, from, used);
  return to;
}
