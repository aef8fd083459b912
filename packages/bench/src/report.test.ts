import { describe, expect, it } from "vitest";
import { failure, formatTable, judge, type Measurement } from "./report.ts";

const base: Measurement = { what: "x", measured: 30, unit: "MB/s" };
const reference = { name: "limit", value: 60 };

describe("judge", () => {
  it.each<[string, Measurement, { ratio: number | null; target: string | null; pass: boolean | null }]>([
    ["no target", base, { ratio: null, target: null, pass: null }],
    ["at most, met", { ...base, atMost: 30 }, { ratio: null, target: "≤ 30 MB/s", pass: true }],
    ["at most, missed", { ...base, atMost: 29 }, { ratio: null, target: "≤ 29 MB/s", pass: false }],
    ["at least, missed", { ...base, atLeast: 31 }, { ratio: null, target: "≥ 31 MB/s", pass: false }],
    ["ratio, met", { ...base, reference, ratioAtLeast: 0.5 }, { ratio: 0.5, target: "ratio ≥ 0.5", pass: true }],
    ["ratio, missed", { ...base, reference, ratioAtMost: 0.4 }, { ratio: 0.5, target: "ratio ≤ 0.4", pass: false }],
    [
      "one of two missed",
      { ...base, reference, atLeast: 20, ratioAtLeast: 0.6 },
      { ratio: 0.5, target: "≥ 20 MB/s, ratio ≥ 0.6", pass: false },
    ],
    ["not measured", { ...base, measured: null, atMost: 1 }, { ratio: null, target: "≤ 1 MB/s", pass: null }],
  ])("%s", (_, measurement, expected) => {
    expect(judge(measurement)).toMatchObject(expected);
  });
});

describe("formatTable", () => {
  it("aligns columns and shows what failed", () => {
    const lines = formatTable([
      judge({ ...base, what: "rate", reference, atLeast: 40 }),
      failure("idle", new Error("broken\nwith a stack")),
    ]).split("\n");
    expect(lines[0]).toMatch(/^what {2}measured /);
    expect(lines[1]).toMatch(/^rate {2}30 MB\/s {2}.*60 MB\/s \(limit\) {2}0\.500 {2}≥ 40 MB\/s {2}NO$/);
    expect(lines[2]).toMatch(/^idle {2}- .*NO {3}broken$/);
  });
});
