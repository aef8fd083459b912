import { describe, expect, it } from "vitest";
import { chooseModel, parseContextWindow, parseModel, parseModels } from "./models.ts";

const models = parseModels({
  models: [
    { provider: "a", id: "one", name: "One", reasoning: true },
    { provider: "b", id: "one" },
    { provider: "router", id: "vendor/two" },
    { provider: "broken" },
    null,
  ],
});

describe("models of the agent", () => {
  it("are read as far as they can be understood", () => {
    expect(models.map(({ model, name, reasoning }) => [model, name, reasoning])).toEqual([
      ["a/one", "One", true],
      ["b/one", null, false],
      ["router/vendor/two", null, false],
    ]);
    for (const odd of [undefined, null, [], { models: {} }]) expect(parseModels(odd)).toEqual([]);
    expect(parseModel({ provider: "unknown", id: "unknown" })).toBeNull();
    expect(
      [{ contextWindow: 8_192 }, { contextWindow: "8k" }, { contextWindow: -1 }, null].map(parseContextWindow),
    ).toEqual([8_192, null, null, null]);
  });

  it.each([
    ["a/one", null, "a/one"],
    ["one", "b/other", "b/one"],
    ["vendor/two", null, "router/vendor/two"],
    ["router/vendor/two", null, "router/vendor/two"],
  ])("%s, while %s is in use, is %s", (wanted, present, chosen) => {
    expect(chooseModel(models, wanted, present).model).toBe(chosen);
  });

  it.each([
    ["one", "choose one of a/one, b/one"],
    ["b/on", "the nearest is b/one"],
    ["onne", "the nearest is one"],
  ])("%s could be another: %s", (wanted, message) => {
    expect(() => chooseModel(models, wanted, null)).toThrow(message);
    expect(() => chooseModel([], wanted, null)).toThrow(`There is no model ${wanted}.`);
  });
});
