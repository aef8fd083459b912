import { borrow } from "./allocation";
import { lowBytes, mix } from "./table";
import { size, tagOf, textOf } from "./vocabulary";

/** Lists the numbers of all terms in the order of their UTF-16 units. Returns where, until something is added. */
export function sorted(): usize {
  const count = size();
  const prefixes = borrow(12 * u64(count));
  const list = prefixes + 8 * count;
  for (let number = 0; number < count; number++) {
    store<i32>(list + 4 * number, number);
    store<u64>(prefixes + 8 * number, prefixOf(number));
  }
  sortByPrefix(list, prefixes, 0, count);
  return list;
}
/** The first eight bytes of a term, for comparison; whatever is beyond ASCII comes behind it, and is told apart later. */
function prefixOf(number: i32): u64 {
  const tag = tagOf(number);
  const text = textOf(number);
  if ((tag & 1) === 0) return bswap(load<u64>(text) & lowBytes(tag >> 1));
  let prefix: u64 = 0;
  for (let at = 0; at < 8; at++) {
    const unit = 2 * at < tag >> 1 ? i32(load<u16>(text + 2 * at)) : 0;
    if (unit >= 0x80) return prefix | (u64(0x80) << (56 - 8 * at));
    prefix |= u64(unit) << (56 - 8 * at);
  }
  return prefix;
}

function sortByPrefix(list: usize, prefixes: usize, first: i32, to: i32): void {
  let from = first;
  while (to - from > 1) {
    const pivot = load<u64>(prefixes + 8 * (from + anyBelow(to - from)));
    let below = from;
    let above = to;
    for (let at = from; at < above; ) {
      const prefix = load<u64>(prefixes + 8 * at);
      if (prefix < pivot) swap(list, prefixes, at++, below++);
      else if (prefix > pivot) swap(list, prefixes, at, --above);
      else at++;
    }
    sortByPrefix(list, prefixes, from, below);
    sort(list, below, above, 0);
    from = above;
  }
}

function swap(list: usize, prefixes: usize, a: i32, b: i32): void {
  const number = load<i32>(list + 4 * a);
  store<i32>(list + 4 * a, load<i32>(list + 4 * b));
  store<i32>(list + 4 * b, number);
  const prefix = load<u64>(prefixes + 8 * a);
  store<u64>(prefixes + 8 * a, load<u64>(prefixes + 8 * b));
  store<u64>(prefixes + 8 * b, prefix);
}

/**
 * Sorts terms that agree in their first `depth` units: three-way by the next one, then each third. Many times faster
 * than to compare them, and bounded in depth by their length.
 */
function sort(list: usize, first: i32, to: i32, depth: i32): void {
  let from = first;
  while (to - from > 1) {
    const pivot = unitOf(load<i32>(list + 4 * (from + anyBelow(to - from))), depth);
    let below = from;
    let above = to;
    for (let at = from; at < above; ) {
      const number = load<i32>(list + 4 * at);
      const unit = unitOf(number, depth);
      if (unit < pivot) {
        store<i32>(list + 4 * at++, load<i32>(list + 4 * below));
        store<i32>(list + 4 * below++, number);
      } else if (unit > pivot) {
        above--;
        store<i32>(list + 4 * at, load<i32>(list + 4 * above));
        store<i32>(list + 4 * above, number);
      } else {
        at++;
      }
    }
    sort(list, from, below, depth);
    if (pivot >= 0) sort(list, below, above, depth + 1);
    from = above;
  }
}

let random: u64 = 0;

/** What nobody can foresee, since `mix` is secret. */
function anyBelow(limit: i32): i32 {
  random = mix(random + 1);
  return i32(((random >> 32) * limit) >> 32);
}

/** A unit of a term; -1 behind its end, which comes before all others. */
function unitOf(number: i32, depth: i32): i32 {
  const tag = tagOf(number);
  if ((tag & 1) !== 0) return depth < tag >> 2 ? i32(load<u16>(textOf(number) + 2 * depth)) : -1;
  return depth < tag >> 1 ? i32(load<u8>(textOf(number) + depth)) : -1;
}
