/** A person's tree has some dozens; lists of tags are answered whole. */
export const MAX_TAGS = 10_000;
/** People have three or four; whoever walks up or down a tree is done soon. */
const MAX_LEVELS = 100;

/** Tells what is wrong with the place of a tag, from the parents of all; `null` where nothing is. */
export function placeProblem(id: string, parents: ReadonlyMap<string, string | null>): string | null {
  let levels = 1;
  for (let at = parents.get(id) ?? null; at !== null; at = parents.get(at) ?? null) {
    if (at === id) return "A tag cannot be below itself; choose another parent.";
    if (++levels > MAX_LEVELS) return `Tags can be nested ${MAX_LEVELS} levels deep; choose another parent.`;
  }
  return null;
}
