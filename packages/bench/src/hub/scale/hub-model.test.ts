import { describe, expect, it } from "vitest";
import { type HubPeople, simulateHub, storageOf } from "./hub-model.ts";
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

  it("finds remembered indexes sooner than others", () => {
    const hub = { ...machines, databaseProcessors: 16, servers: 8, processorsOfServer: 8, searchThreads: 4 };
    const of = (rememberedGigabytes: number) =>
      simulateHub({ ...PEOPLE, people: 200 }, { ...hub, rememberedGigabytes }, MEASURED, { minutes: 30, seed: 7 });
    expect(of(1_000).searchP50).toBeLessThan(of(0).searchP50 / 4);
  });
});

it("what a hub keeps is divided among its databases, without what is in an object store", () => {
  const shares = { bytes: 0.3, text: 0.2, catalog: 0.05 };
  expect(storageOf(PEOPLE, shares, { databases: 1, hasObjectStore: false }).database).toBeCloseTo(11);
  const { database, objects, hoursToCopy } = storageOf(PEOPLE, shares, { databases: 5, hasObjectStore: true });
  expect([database, objects]).toEqual([expect.closeTo(1), expect.closeTo(6)]);
  expect(hoursToCopy).toBeCloseTo(1.39, 1);
});
