import { expect, it } from "vitest";
import { DEFAULT_PARAMETERS, MANY_SHAPE, planCorpus } from "./plan.ts";

const plans = planCorpus(DEFAULT_PARAMETERS);
const MEGABYTE = 1e6;

it("plans 1 GB with a few large sessions among many ordinary ones", () => {
  const sizes = plans.map(({ bytes }) => bytes).sort((a, b) => b - a);
  expect(sizes.slice(0, 8)).toEqual([80, 60, 40, 30, 20, 15, 10, 10].map((megabytes) => megabytes * MEGABYTE));
  expect(sizes[8]).toBeLessThan(10 * MEGABYTE);
  expect(sizes).toHaveLength(3_000);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(Math.abs(total / DEFAULT_PARAMETERS.bytes - 1)).toBeLessThan(0.02);
  expect(sizes[1_500]).toBeGreaterThan(80_000);
  expect(sizes[1_500]).toBeLessThan(200_000);
});

it("plans many short sessions without a large one", () => {
  const tenth = { sessions: MANY_SHAPE.sessions / 10, bytes: MANY_SHAPE.bytes / 10 };
  const sizes = planCorpus({ ...DEFAULT_PARAMETERS, ...MANY_SHAPE, ...tenth })
    .map(({ bytes }) => bytes)
    .sort((a, b) => a - b);
  expect(sizes).toHaveLength(5_000);
  expect(sizes.at(-1)).toBeLessThan(MEGABYTE);
  expect(sizes[2_500]).toBeLessThan(4_000);
});

it("spreads the sessions over all projects and three years", () => {
  expect(new Set(plans.map(({ project }) => project)).size).toBe(DEFAULT_PARAMETERS.projects);
  const years =
    (Math.max(...plans.map((plan) => plan.startedAt)) - Math.min(...plans.map((plan) => plan.startedAt))) /
    (365 * 24 * 3600 * 1000);
  expect(years).toBeGreaterThan(2.9);
  expect(years).toBeLessThanOrEqual(3);
});

it("plans sessions in CJK languages, and a needle for every fifth session", () => {
  const share = plans.filter(({ language }) => language !== "english").length / plans.length;
  expect(share).toBeGreaterThan(0.035);
  expect(share).toBeLessThan(0.065);
  const needles = plans.flatMap(({ needle }) => (needle === null ? [] : [needle.text]));
  expect(new Set(needles).size).toBe(600);
});
