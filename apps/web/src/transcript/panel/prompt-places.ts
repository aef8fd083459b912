import type { TreeEntry } from "@sm/core";
import type { SessionTree } from "../../entries/session-tree.ts";
import { isPrompt } from "./tree-rows.ts";

/** A prompt, and where on its branch it is. */
export interface PromptPlace {
  entry: TreeEntry;
  place: number;
}

/** The prompts of a branch, root to leaf. */
export function promptPlaces(tree: SessionTree, ids: readonly (string | undefined)[]): PromptPlace[] {
  return ids.flatMap((id, place) => {
    const entry = tree.entry(id ?? "");
    return entry !== null && isPrompt(entry) ? [{ entry, place }] : [];
  });
}

/** What the contents of a branch list, root to leaf: its prompts, and what is bookmarked. */
export function contentsPlaces(
  tree: SessionTree,
  ids: readonly (string | undefined)[],
  labels: Readonly<Record<string, string>>,
): PromptPlace[] {
  return ids.flatMap((id, place) => {
    const entry = tree.entry(id ?? "");
    return entry !== null && (isPrompt(entry) || Object.hasOwn(labels, entry.id)) ? [{ entry, place }] : [];
  });
}

/** The places of a branch behind which something else was tried. */
export function forkPlaces(tree: SessionTree, ids: readonly (string | undefined)[]): number[] {
  return ids.flatMap((id, place) => (tree.forkAt(id ?? "") === null ? [] : [place]));
}
