import { describe, expect, it } from "vitest";
import { formatDollars } from "./dollars.ts";

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
