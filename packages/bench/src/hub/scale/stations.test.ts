import { describe, expect, it } from "vitest";
import { Random } from "../../corpus/random.ts";
import { Stations } from "./stations.ts";

const use = (station: string, ms: number) => ({ kind: "use" as const, station, ms });

describe("stations", () => {
  it("serve jobs in the order in which they came, as many at a time as there are places", () => {
    const stations = new Stations({ desk: 2 });
    const ends: [number, number][] = [];
    for (const [number, ms] of [10, 30, 5, 5].entries()) {
      stations.start([use("desk", ms)], (at) => ends.push([number, at]));
    }
    expect(stations.waiting("desk")).toBe(2);
    stations.run(100);
    expect(ends).toEqual([
      [0, 10],
      [2, 15],
      [3, 20],
      [1, 30],
    ]);
    expect(stations.load("desk")).toBeCloseTo(50 / 200);
  });

  it("are held while a job is elsewhere", () => {
    const stations = new Stations({ connection: 1, processor: 4 });
    const ends: number[] = [];
    const job = [
      { kind: "hold" as const, station: "connection" },
      use("processor", 10),
      use("processor", 10),
      { kind: "free" as const, station: "connection" },
      use("processor", 1),
    ];
    for (let number = 0; number < 3; number++) stations.start(job, (at) => ends.push(at));
    stations.run(60);
    expect(ends).toEqual([21, 41, 61].filter((at) => at <= 60));
    stations.run(100);
    expect(ends).toEqual([21, 41, 61]);
    expect(stations.load("connection")).toBeCloseTo(0.6);
  });

  it("make jobs wait as queueing theory says: M/M/1 at 80 % takes five times the service time", () => {
    const stations = new Stations({ desk: 1 });
    const random = new Random(1);
    const exponential = (mean: number) => -mean * Math.log(1 - random.fraction());
    let jobs = 0;
    let total = 0;
    const arrive = () => {
      const begun = stations.now;
      stations.start([use("desk", exponential(8))], (at) => {
        jobs++;
        total += at - begun;
      });
      stations.at(stations.now + exponential(10), arrive);
    };
    stations.at(0, arrive);
    stations.run(4_000_000);
    expect(stations.load("desk")).toBeCloseTo(0.8, 1);
    expect(total / jobs / 8).toBeGreaterThan(4.5);
    expect(total / jobs / 8).toBeLessThan(5.5);
  });
});
