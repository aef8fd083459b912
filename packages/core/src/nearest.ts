/** Longer names are truncated before comparison: the cost is the product of the lengths. */
const MAX_LENGTH = 64;

/** The candidate with the smallest edit distance to `name`; the first of equals, `undefined` without candidates. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(name.slice(0, MAX_LENGTH), candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance, computed row by row. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [leftIndex, leftUnit] of [...left].entries()) {
    let previous = leftIndex + 1;
    const next = [previous];
    for (let index = 1; index < row.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (leftUnit === right[index - 1] ? 0 : 1);
      previous = Math.min(replaced, (row[index] ?? 0) + 1, previous + 1);
      next.push(previous);
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
