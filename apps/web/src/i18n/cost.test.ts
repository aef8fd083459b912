import { expect, it } from "vitest";
import { costText, costTitle } from "./cost.ts";

it.each([
  [null, null, null, undefined],
  [0, 0, null, undefined],
  [0.5, null, "$0.50", undefined],
  [null, 0.25, "≈ $0.25", "Estimated from list prices: $0.25"],
  [0.5, 0.25, "≈ $0.75", "$0.50 recorded by the agent, $0.25 estimated from list prices"],
])("%j as recorded and %j estimated are %j", (cost_usd, estimated_cost_usd, text, title) => {
  expect(costText({ cost_usd, estimated_cost_usd })).toBe(text);
  expect(costTitle({ cost_usd, estimated_cost_usd })).toBe(title);
});
