import { describe, expect, it } from "vitest";
import { type HubPeople, simulateHub } from "./hub-model.ts";
import { MEASURED, PEOPLE, STEPS } from "./hub-steps.ts";

const [first] = STEPS;
const machines =
  first?.machines ??
  (() => {
    throw new Error("There are no steps.");
  })();
const options = { minutes: 1, seed: 7 };
const FEW: HubPeople = { ...PEOPLE, people: 50 };

describe("a simulated hub", () => {
  it("is the same for the same seed, and another for another one", () => {
    const once = simulateHub(FEW, machines, MEASURED, options);
    expect(simulateHub(FEW, machines, MEASURED, options)).toEqual(once);
    expect(simulateHub(FEW, machines, MEASURED, { ...options, seed: 8 })).not.toEqual(once);
  });

  it("does what few people ask, with the load that their work adds up to", () => {
    const { loads, appendP99, unfinished } = simulateHub(FEW, machines, MEASURED, { minutes: 20, seed: 7 });
    const appendsAMillisecond = (FEW.people * FEW.appends) / 3_600_000;
    const pagesAMillisecond = (FEW.people * FEW.pages) / 3_600_000;
    const work = appendsAMillisecond * MEASURED.append.postgres + pagesAMillisecond * MEASURED.page.postgres;
    expect(loads.primary * machines.databaseProcessors).toBeGreaterThan(work * 0.85);
    expect(loads.primary * machines.databaseProcessors).toBeLessThan(work * 2);
    expect(appendP99).toBeLessThan(300);
    expect(unfinished).toBeLessThan(0.01);
  });

  it("falls behind with more people than it can serve, and not on more machines", () => {
    expect(simulateHub(PEOPLE, machines, MEASURED, options).unfinished).toBeGreaterThan(0.2);
    const last = STEPS.at(-1)?.machines ?? machines;
    expect(simulateHub(PEOPLE, last, MEASURED, options).unfinished).toBeLessThan(0.02);
  });
});
