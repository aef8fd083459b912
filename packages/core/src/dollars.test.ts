import { describe, expect, it } from "vitest";
import { formatCosts, formatDollars } from "./dollars.ts";

describe("formatDollars", () => {
  it.each([
    [0, "$0.00"],
    [0.000012, "$0.000012"],
    [0.0042, "$0.0042"],
    [0.0377, "$0.038"],
    [0.05, "$0.05"],
    [0.0994, "$0.099"],
    [0.0996, "$0.10"],
    [0.1, "$0.10"],
    [1.005, "$1.01"],
    [1.28, "$1.28"],
    [999.99, "$999.99"],
    [999.999, "$1,000"],
    [1204.4, "$1,204"],
    [1_234_567, "$1,234,567"],
    [-1.5, "-$1.50"],
  ])("writes %d as %s", (amount, text) => {
    expect(formatDollars(amount)).toBe(text);
  });
});

describe("formatCosts", () => {
  it.each([
    [null, null, null],
    [0, null, "$0.00"],
    [4.5, null, "$4.50"],
    [null, 1.2, "≈ $1.20 estimated"],
    [0, 1.2, "≈ $1.20 estimated"],
    [4.5, 1.2, "$4.50 + ≈ $1.20 estimated"],
    [4.5, 0, "$4.50"],
    [null, 0, null],
  ])("writes %s recorded and %s estimated as %s", (cost_usd, estimated_cost_usd, text) => {
    expect(formatCosts({ cost_usd, estimated_cost_usd })).toBe(text);
    expect(formatCosts({ cost_usd, estimated_cost_usd }, false)).toBe(text?.replace(" estimated", "") ?? null);
  });
});
