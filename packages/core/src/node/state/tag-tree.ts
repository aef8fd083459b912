import { AppError } from "../../errors.ts";
import type { StoredTag, TagName } from "./ports.ts";

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

/** @throws AppError `NOT_FOUND` for an unknown parent, `CONFLICT` where two siblings have one name, and for circles. */
export function refuseNoTree(tree: readonly StoredTag[]): void {
  const parents = new Map(tree.map(({ id, parent_id }) => [id, parent_id]));
  const places = new Set<string>();
  for (const { id, name, parent_id } of tree) {
    if (parent_id !== null && !parents.has(parent_id)) throw unknownTag(parent_id, "parent");
    const problem = placeProblem(id, parents);
    if (problem !== null) throw new AppError("CONFLICT", problem);
    const place = JSON.stringify([parent_id, name]);
    if (places.has(place)) {
      throw new AppError("CONFLICT", `A tag named "${name}" already exists here; choose another name.`);
    }
    places.add(place);
  }
}

/** @throws AppError `CONFLICT`. */
export function refuseTooManyTags(count: number): void {
  if (count >= MAX_TAGS) throw new AppError("CONFLICT", `There are already ${MAX_TAGS} tags; delete unused ones.`);
}

export function unknownTag(id: string, what: "tag" | "parent"): AppError {
  return new AppError("NOT_FOUND", `There is no ${what === "tag" ? "tag" : "parent tag"} ${id}; list_tags lists all.`);
}

/** Made for the first tags that are to be sorted: that takes some milliseconds, and every list asks for tags. */
let collator: Intl.Collator | null = null;

/** Sorts tags by their names, in place. */
export function tagsInOrder(tags: StoredTag[]): StoredTag[] {
  if (tags.length < 2) return tags;
  collator ??= new Intl.Collator("en", { numeric: true });
  const { compare } = collator;
  return tags.sort((a, b) => compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
}

/** The name, or the first one with a number behind it that nobody beside has. */
export function freeTagName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${name} (${number})`;
  return free;
}

/** Ids of the tags of a name, whatever its case, and of all below them. */
export function tagsUnder(all: readonly Pick<StoredTag, "id" | "name" | "parent_id">[], { value, prefix }: TagName) {
  const wanted = foldName(value);
  const children = new Map<string | null, string[]>();
  for (const { id, parent_id } of all) {
    const siblings = children.get(parent_id);
    if (siblings === undefined) children.set(parent_id, [id]);
    else siblings.push(id);
  }
  const found = new Set<string>();
  const add = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    for (const child of children.get(id) ?? []) add(child);
  };
  for (const { id, name } of all) {
    const folded = foldName(name);
    if (prefix ? folded.startsWith(wanted) : folded === wanted) add(id);
  }
  return found;
}

/** Without case and accents, as texts are searched. */
function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}
