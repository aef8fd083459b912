import { describe, expect, it } from "vitest";
import { keyCaps, type Stroke, strokeOf } from "./keys.ts";

const press = (key: string, modifiers: Partial<Stroke> = {}): Stroke => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

describe("strokeOf", () => {
  it.each<[Stroke, boolean, string]>([
    [press("k"), false, "k"],
    [press("K", { shiftKey: true }), false, "shift+k"],
    [press("k", { ctrlKey: true }), false, "mod+k"],
    [press("k", { metaKey: true }), true, "mod+k"],
    [press("k", { ctrlKey: true }), true, "other+k"],
    [press("?", { shiftKey: true }), false, "?"],
    [press(" "), false, "space"],
    [press("ArrowDown", { shiftKey: true }), false, "shift+arrowdown"],
    [press("Enter", { ctrlKey: true, altKey: true, shiftKey: true }), false, "mod+alt+shift+enter"],
  ])("%j on a Mac: %s → %s", (stroke, mac, expected) => {
    expect(strokeOf(stroke, mac)).toBe(expected);
  });
});

describe("keyCaps", () => {
  it.each([
    ["mod+k", false, ["Ctrl", "K"]],
    ["mod+shift+enter", true, ["⌘", "⇧", "↵"]],
    ["g l", false, ["G", "L"]],
    ["?", false, ["?"]],
    ["mod++", false, ["Ctrl", "+"]],
    ["home", false, ["Home"]],
    ["f2", true, ["F2"]],
    ["shift+f10", false, ["Shift", "F10"]],
  ])("%s on a Mac: %s → %j", (keys, mac, expected) => {
    expect(keyCaps(keys, mac)).toEqual(expected);
  });
});
