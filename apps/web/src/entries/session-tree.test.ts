import type { TreeEntry } from "@sm/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SessionTree, sharedLength } from "./session-tree.ts";

function entry(id: string, parent: string | null, type = "message"): TreeEntry {
  return {
    id,
    parent_id: parent,
    type,
    kind: type === "context_edit" ? "context_edit" : "message",
    role: "user",
    conversation: type === "message",
    preview: id,
    target_id: null,
    timestamp: null,
    label: null,
  };
}

/** a ─ b ─ c ─ d, with x ─ y tried in the place of c, and a label on y. */
const FORKED = [
  entry("a", null),
  entry("b", "a"),
  entry("x", "b"),
  entry("y", "x"),
  entry("note", "y", "label"),
  entry("c", "b"),
  entry("d", "c"),
];

describe("SessionTree", () => {
  const tree = new SessionTree(FORKED);

  it("walks from the root to a leaf", () => {
    expect(tree.newestId).toBe("d");
    expect(tree.branch("d")).toEqual(["a", "b", "c", "d"]);
    expect(tree.branch("y")).toEqual(["a", "b", "x", "y"]);
    expect(tree.branch("nobody")).toEqual([]);
  });

  it("knows by branch which entries the model sees otherwise", () => {
    const edit = (id: string, parent: string, target: string): TreeEntry => ({
      ...entry(id, parent, "context_edit"),
      role: null,
      target_id: target,
    });
    const edited = new SessionTree([...FORKED, edit("e1", "y", "a"), edit("e2", "d", "a"), edit("e3", "e2", "a")]);
    expect([...edited.contextEdits("e3")].map(([id, { id: by }]) => [id, by])).toEqual([["a", "e3"]]);
    expect(edited.contextEdits("e1").get("a")?.id).toBe("e1");
    expect(edited.contextEdits("d").size).toBe(0);
    expect(tree.contextEdits("d").size).toBe(0);
  });

  it("finds the newest entry below another", () => {
    expect(tree.leafBelow("a")).toBe("d");
    expect(tree.leafBelow("x")).toBe("note");
    expect(tree.leafBelow("nobody")).toBe("nobody");
  });

  it("knows what was tried at a fork; what carries no conversation is no way to go", () => {
    expect(tree.forkAt("c")).toEqual({ continuations: ["x", "c"], current: 1 });
    expect(tree.forkAt("x")).toEqual({ continuations: ["x", "c"], current: 0 });
    expect(tree.forkAt("note")).toBeNull();
    expect(tree.forkAt("d")).toBeNull();
    expect(new SessionTree([entry("a", null), entry("b", "gone")]).forkAt("b")).toEqual({
      continuations: ["a", "b"],
      current: 1,
    });
  });

  it("lays out the trunk with what turns aside a level deeper", () => {
    expect(tree.lines().map(({ ordinal, level }) => `${level} ${FORKED[ordinal]?.id}`)).toEqual([
      "0 a",
      "0 b",
      "1 x",
      "1 y",
      "1 note",
      "0 c",
      "0 d",
    ]);
  });

  it("takes what is appended, once", () => {
    const grown = tree.with([entry("d", "c"), entry("e", "d")]);
    expect(grown.branch("e")).toEqual(["a", "b", "c", "d", "e"]);
    expect(grown.with([entry("e", "d")])).toBe(grown);
  });

  it("takes any parents, cycles among them, and shows each entry once", () => {
    const parents = fc.array(fc.nat({ max: 30 }), { maxLength: 30 });
    fc.assert(
      fc.property(parents, (numbers) => {
        const entries = numbers.map((parent, at) => entry(String(at), String(parent)));
        const any = new SessionTree(entries);
        expect(
          any
            .lines()
            .map(({ ordinal }) => ordinal)
            .sort((a, b) => a - b),
        ).toEqual([...numbers.keys()]);
        for (const { id } of entries) {
          expect(any.branch(id).at(-1)).toBe(id);
          expect(any.branch(any.leafBelow(id))).toContain(id);
          const fork = any.forkAt(id);
          if (fork !== null) expect(fork.continuations[fork.current]).toBe(id);
        }
      }),
    );
  });
});

describe("sharedLength", () => {
  it.each([
    [["a", "b"], ["a", "c"], 1],
    [["a"], ["a", "b"], 1],
    [[], ["a"], 0],
    [["a", "b"], ["a", "b"], 2],
  ])("%j and %j share %d", (one, other, length) => {
    expect(sharedLength(one, other)).toBe(length);
  });
});
