import type { CommandOutput } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { groupBy } from "../browser/group-by.ts";
import { commandQuery } from "./commands.ts";
import { useService } from "./service-context.tsx";

export type Tag = CommandOutput<"list_tags">[number];

/** All tags, as a tree. */
export interface TagTree {
  readonly byId: ReadonlyMap<string, Tag>;
  /** Parents before their children, siblings by name, each with its depth. */
  readonly inOrder: readonly { readonly tag: Tag; readonly depth: number }[];
  /** The tags right below one. */
  children(id: string): readonly Tag[];
  /** Ids of all tags below one. */
  below(id: string): readonly string[];
}

/** The tags of the service; an empty tree until they are loaded. */
export function useTags(): TagTree {
  const { data = NONE } = useQuery(commandQuery(useService(), "list_tags"));
  return useMemo(() => makeTagTree(data), [data]);
}

const NONE: readonly Tag[] = [];

export function makeTagTree(tags: readonly Tag[]): TagTree {
  const byId = new Map(tags.map((tag) => [tag.id, tag]));
  const children = groupBy(tags, ({ parent_id }) => (parent_id !== null && byId.has(parent_id) ? parent_id : null));
  const inOrder: { tag: Tag; depth: number }[] = [];
  const visit = (parent: string | null, depth: number) => {
    for (const tag of children.get(parent) ?? []) {
      inOrder.push({ tag, depth });
      visit(tag.id, depth + 1);
    }
  };
  visit(null, 0);
  const below = (id: string): string[] => (children.get(id) ?? []).flatMap((child) => [child.id, ...below(child.id)]);
  return { byId, inOrder, children: (id) => children.get(id) ?? NONE, below };
}
