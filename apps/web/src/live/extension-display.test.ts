import type { JsonObject } from "@sm/core";
import { describe, expect, it } from "vitest";
import { type ExtensionDisplay, NOTHING_DISPLAYED, withRequest } from "./extension-display.ts";

const shown = (...events: JsonObject[]): ExtensionDisplay => events.reduce(withRequest, NOTHING_DISPLAYED);

const widget = (widgetKey: string, widgetLines?: string[], more: JsonObject = {}): JsonObject => ({
  method: "setWidget",
  widgetKey,
  ...(widgetLines !== undefined && { widgetLines }),
  ...more,
});

describe("withRequest", () => {
  it("keeps one line for each status", () => {
    const status = (statusKey: string, statusText?: string) => ({
      method: "setStatus",
      statusKey,
      ...(statusText !== undefined && { statusText }),
    });
    const { statuses } = shown(status("a", "one"), status("b", "two"), status("a", "three"), status("b"));
    expect([...statuses]).toEqual([["a", "three"]]);
  });

  it("keeps widgets above and below the prompt until they are taken away", () => {
    const { widgets } = shown(
      widget("todo", ["one"]),
      widget("todo", ["one", "two"]),
      widget("cost", ["3"], { widgetPlacement: "belowEditor" }),
      widget("gone", ["x"]),
      widget("gone"),
    );
    expect([...widgets]).toEqual([
      ["todo", { lines: ["one", "two"], isBelowPrompt: false }],
      ["cost", { lines: ["3"], isBelowPrompt: true }],
    ]);
  });

  it("keeps the last title", () => {
    const title = (text: string) => ({ method: "setTitle", title: text });
    expect(shown(title("one"), title(" two ")).title).toBe("two");
    expect(shown(title("one"), title("")).title).toBeNull();
  });

  it("is bounded, and takes nothing that it does not know", () => {
    const many = Array.from({ length: 100 }, (_, at) => widget(`${at}`, new Array(100).fill("x".repeat(5_000))));
    const { widgets } = shown(...many);
    expect(widgets.size).toBe(20);
    expect(widgets.get("0")?.lines).toHaveLength(20);
    expect(widgets.get("0")?.lines[0]).toHaveLength(1_000);
    expect(shown({ method: "notify", message: "x" }, {})).toBe(NOTHING_DISPLAYED);
    expect(shown({ method: "setWidget", widgetLines: "x" }).widgets.size).toBe(0);
  });
});
