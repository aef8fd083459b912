/**
 * Index of the first of ascending `numbers`, from `index` on, that is not less than `wanted`; exponential search,
 * because a text may contain a common word very often, and be searched for very many words after it.
 */
export function gallop(numbers: ArrayLike<number>, index: number, wanted: number): number {
  let low = index;
  let step = 1;
  while (low + step <= numbers.length && (numbers[low + step - 1] as number) < wanted) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, numbers.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
