import { describe, expect, it } from "vitest";
import { sparkline } from "./sparkline.ts";

describe("sparkline", () => {
  it.each([
    [[], ""],
    [[0, 0], "  "],
    [[5], "█"],
    [[0, 1, 2, 3, 4, 5, 6, 7, 8], " ▁▂▃▄▅▆▇█"],
    [[1, 1_000_000], "▁█"],
  ])("draws %j", (amounts, line) => expect(sparkline(amounts)).toBe(line));
});
