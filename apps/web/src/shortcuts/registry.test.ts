import { describe, expect, it } from "vitest";
import type { Stroke } from "./keys.ts";
import { type Action, createActionRegistry, keysInForce } from "./registry.ts";

function setUp() {
  const ran: string[] = [];
  const clock = { now: 0 };
  const registry = createActionRegistry(() => clock.now);
  const action = (id: string, keys: Action["keys"], more: Partial<Action> = {}): Action => ({
    id,
    title: "frame.menu",
    group: "view",
    ...(keys !== undefined && { keys }),
    run: () => ran.push(id),
    ...more,
  });
  const press = (key: string, inField = false, ctrlKey = false) => {
    const stroke: Stroke = { key, ctrlKey, metaKey: false, altKey: false, shiftKey: false };
    return registry.press(stroke, inField);
  };
  const pressBeside = (key: string) =>
    registry.press({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }, false, true);
  return { ran, clock, registry, action, press, pressBeside };
}

describe("actions", () => {
  it("run by their keys as long as they are there", () => {
    const { ran, registry, action, press } = setUp();
    const remove = registry.add([action("a", "a"), action("b", ["b", "mod+b"])]);
    expect([press("a"), press("b"), press("b", false, true), press("c")]).toEqual([true, true, true, false]);
    remove();
    expect(press("a")).toBe(false);
    expect(ran).toEqual(["a", "b", "b"]);
  });

  it("leave their keys to the list, where they are those of the screen beside it", () => {
    const { ran, registry, action, press, pressBeside } = setUp();
    registry.add([action("clear", "escape")]);
    registry.add([action("abort", "escape", { isOfScreen: true })]);
    expect([press("Escape"), pressBeside("Escape")]).toEqual([true, true]);
    expect(ran).toEqual(["abort", "clear"]);
  });

  it("have their keys alone where they come first, whoever came later", () => {
    const { ran, registry, action, press } = setUp();
    const remove = registry.add([action("hits", "n", { comesFirst: true })]);
    registry.add([action("prompts", ["n", "p"])]);
    expect([press("n"), press("p")]).toEqual([true, true]);
    expect(keysInForce(registry.list()).map(({ action: { id }, keys }) => [id, keys])).toEqual([
      ["hits", ["n"]],
      ["prompts", ["p"]],
    ]);
    remove();
    press("n");
    expect(ran).toEqual(["hits", "prompts", "prompts"]);
  });

  it("leave keys to fields, unless they are for these too", () => {
    const { ran, registry, action, press } = setUp();
    registry.add([action("a", "a"), action("k", "mod+k", { inFields: true })]);
    expect([press("a", true), press("k", true, true)]).toEqual([false, true]);
    expect(ran).toEqual(["k"]);
  });

  it("of which the last one added wins", () => {
    const { ran, registry, action, press } = setUp();
    registry.add([action("page", "a"), action("same", "x")]);
    const remove = registry.add([action("dialog", "a"), action("same", "y")]);
    press("a");
    expect(press("x")).toBe(false);
    remove();
    press("a");
    press("x");
    expect(ran).toEqual(["dialog", "page", "same"]);
  });

  it("have sequences of keys, within some time", () => {
    const { ran, clock, registry, action, press } = setUp();
    registry.add([action("live", "g l"), action("l", "l")]);
    press("g");
    press("l");
    press("l");
    press("g");
    clock.now = 10_000;
    press("l");
    press("g");
    expect(press("x")).toBe(false);
    press("l");
    expect(ran).toEqual(["live", "l", "l", "l"]);
  });

  it("tell who shows them of every change", () => {
    const { registry, action } = setUp();
    let changes = 0;
    const stop = registry.subscribe(() => {
      changes += 1;
    });
    const remove = registry.add([action("a", undefined)]);
    remove();
    stop();
    registry.add([action("b", undefined)]);
    expect(changes).toBe(2);
    expect(registry.list().map(({ id }) => id)).toEqual(["b"]);
  });
});
