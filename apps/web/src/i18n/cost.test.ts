import { expect, it } from "vitest";
import { costText, costTitle } from "./cost.ts";

it.each([
  [null, null, null, undefined],
  [0, 0, null, undefined],
  [0.5, null, "$0.50", undefined],
  [null, 0.25, "≈ $0.25", "Estimated by price list: $0.25"],
  [0.5, 0.25, "≈ $0.75", "$0.50 as recorded by the agent, $0.25 estimated by price list"],
])("%j as recorded and %j estimated are %j", (cost_usd, estimated_cost_usd, text, title) => {
  expect(costText({ cost_usd, estimated_cost_usd })).toBe(text);
  expect(costTitle({ cost_usd, estimated_cost_usd })).toBe(title);
});
