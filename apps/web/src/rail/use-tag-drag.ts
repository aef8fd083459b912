import { type DragEvent, useState } from "react";
import type { TagTree } from "../client/tags.ts";
import { tagAt } from "./tag-at.ts";

/** Where a tag that is dragged would be dropped: below another one, or on the top level (`null`). */
type Target = string | null;

/** Nests tags with the mouse: they are dropped on others, or on the heading for the top level. */
export function useTagDrag(tags: TagTree, move: (id: string, parentId: string | null) => void) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<Target | undefined>(undefined);

  function targetOf(event: DragEvent): Target | undefined {
    const tag = dragged === null ? undefined : tags.byId.get(dragged);
    const to = tagAt(event.target);
    if (tag === undefined || to === tag.parent_id) return undefined;
    return to !== null && [tag.id, ...tags.below(tag.id)].includes(to) ? undefined : to;
  }

  return {
    target,
    events: {
      onDragStart: (event: DragEvent) => setDragged(tagAt(event.target)),
      onDragOver(event: DragEvent) {
        const to = targetOf(event);
        if (to !== undefined) event.preventDefault();
        setTarget(to);
      },
      onDragLeave: () => setTarget(undefined),
      onDrop(event: DragEvent) {
        const to = targetOf(event);
        if (dragged === null || to === undefined) return;
        event.preventDefault();
        move(dragged, to);
      },
      onDragEnd() {
        setDragged(null);
        setTarget(undefined);
      },
    },
  };
}
