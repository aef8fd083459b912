/**
 * Groups sessions that may contain copies of the same messages: those with a common origin, such as a fork and its
 * source.
 *
 * @param origins by session, see `encodeActivity`.
 */
export function familiesOf(origins: Iterable<readonly [key: number, origins: readonly number[]]>): number[][] {
  const parents = new Map<number, number>();
  const firsts = new Map<number, number>();
  const headOf = (key: number): number => {
    let head = key;
    for (let above = parents.get(head); above !== undefined; above = parents.get(head)) head = above;
    // Path compression.
    for (let at = key; at !== head; ) {
      const above = parents.get(at) ?? head;
      parents.set(at, head);
      at = above;
    }
    return head;
  };
  const members = new Set<number>();
  for (const [key, ofSession] of origins) {
    for (const origin of ofSession) {
      const first = firsts.get(origin);
      if (first === undefined) firsts.set(origin, key);
      else if (first !== key) {
        members.add(first).add(key);
        const [head, other] = [headOf(first), headOf(key)];
        if (head !== other) parents.set(other, head);
      }
    }
  }
  const families = new Map<number, number[]>();
  for (const key of members) {
    const head = headOf(key);
    const family = families.get(head);
    if (family === undefined) families.set(head, [key]);
    else family.push(key);
  }
  return [...families.values()];
}
