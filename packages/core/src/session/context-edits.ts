import { formatNamed } from "../format/formats.ts";
import type { JsonObject } from "../json.ts";
import type { ContextEdit } from "./transcript.ts";
import type { ReadableSession, TranscriptLayout } from "./transcript-layout.ts";
import { newestBelow } from "./tree.ts";

/** The replacement of an entry's content for the model, by ordinal; `null` if unchanged. */
export type ContextEdits = (ordinal: number) => ContextEdit | null;

/**
 * Finds the context edits of a session. An edit applies on its branch, and the newest one counts: on the branch of the
 * layout, or for the whole session, on the newest branch through the edited entry.
 *
 * Replacements are read on demand, to save memory.
 */
export function contextEdits(
  session: ReadableSession,
  layout: Pick<TranscriptLayout, "ordinals" | "leaf">,
  lineAt: (ordinal: number) => JsonObject,
): ContextEdits {
  return editReader(session, newestEdits(session, layout, lineAt), lineAt);
}

/** By ordinal of the edited entry, that of the edit that counts. */
export function newestEdits(
  { fold, parents }: ReadableSession,
  { ordinals, leaf }: Pick<TranscriptLayout, "ordinals" | "leaf">,
  lineAt: (ordinal: number) => JsonObject,
): ReadonlyMap<number, number> {
  const { outline, state } = fold;
  const newest = new Map<number, number>();
  const edits: number[] = [];
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    if (outline.role(ordinal) === "context_edit") edits.push(ordinal);
  }
  if (edits.length === 0) return newest;

  const { contextEdit } = formatNamed(state.format ?? "pi");
  const leafOf = leaf === null ? newestBelow(parents) : leafOnBranch(parents.length, ordinals, leaf);
  for (const edit of edits) {
    if (leafOf[edit] === -1) continue;
    const target = outline.ordinalOf(contextEdit(lineAt(edit))?.targetId ?? "");
    if (target >= 0 && leafOf[edit] === leafOf[target]) newest.set(target, edit);
  }
  return newest;
}

/** Reads the replacements of {@link newestEdits}. */
export function editReader(
  { fold }: ReadableSession,
  edits: ReadonlyMap<number, number>,
  lineAt: (ordinal: number) => JsonObject,
): ContextEdits {
  const { outline, state } = fold;
  const { contextEdit } = formatNamed(state.format ?? "pi");
  return (ordinal) => {
    const edit = edits.get(ordinal);
    if (edit === undefined) return null;
    return { entry_id: outline.id(edit), replacement: contextEdit(lineAt(edit))?.replacement ?? null };
  };
}

/** By ordinal: the branch's leaf for entries on it, otherwise -1. */
function leafOnBranch(count: number, branch: Int32Array, leaf: number): Int32Array {
  const leafOf = new Int32Array(count).fill(-1);
  for (const ordinal of branch) leafOf[ordinal] = leaf;
  return leafOf;
}
