import { expect, it } from "vitest";
import { makeTagTree, type Tag } from "./tags.ts";

const tag = (id: string, parent_id: string | null): Tag => ({
  id,
  name: id,
  color: "#000000",
  parent_id,
  session_count: 0,
});

it("lays tags out as a tree, in which one whose parent is unknown is on top", () => {
  const tree = makeTagTree([tag("a", null), tag("b", null), tag("a1", "a"), tag("a11", "a1"), tag("x", "gone")]);
  expect(tree.inOrder.map(({ tag: { id }, depth }) => `${"-".repeat(depth)}${id}`)).toEqual([
    "a",
    "-a1",
    "--a11",
    "b",
    "x",
  ]);
  expect(tree.below("a")).toEqual(["a1", "a11"]);
  expect(tree.below("b")).toEqual([]);
});
