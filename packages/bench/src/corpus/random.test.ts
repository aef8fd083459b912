import { describe, expect, it } from "vitest";
import { mixSeed, Random } from "./random.ts";
import { ZipfSampler } from "./zipf.ts";

describe("Random", () => {
  it("repeats itself for a seed and differs between seeds", () => {
    const draw = (seed: number): number[] => {
      const random = new Random(seed);
      return Array.from({ length: 8 }, () => random.next());
    };
    expect(draw(5)).toEqual(draw(5));
    expect(draw(5)).not.toEqual(draw(6));
    expect(mixSeed(1, 2)).not.toBe(mixSeed(2, 1));
  });

  it("keeps to its limits and reaches both ends", () => {
    const random = new Random(1);
    const drawn = new Set(Array.from({ length: 1_000 }, () => random.between(3, 6)));
    expect([...drawn].sort()).toEqual([3, 4, 5, 6]);
  });

  it("makes as many digits and bytes as asked for", () => {
    const random = new Random(1);
    expect(random.hex(22)).toMatch(/^[0-9a-f]{22}$/);
    expect(Buffer.from(random.base64(101), "base64")).toHaveLength(101);
  });

  it("draws log-normal numbers around their median", () => {
    const random = new Random(1);
    const drawn = Array.from({ length: 5_001 }, () => random.logNormal(900, 1.4)).sort((a, b) => a - b);
    expect(drawn[2_500]).toBeGreaterThan(800);
    expect(drawn[2_500]).toBeLessThan(1_000);
  });
});

describe("ZipfSampler", () => {
  it("draws every rank, and low ones as often as Zipf's law says", () => {
    const random = new Random(1);
    const sampler = new ZipfSampler(100);
    const counts = new Array<number>(100).fill(0);
    for (let draw = 0; draw < 200_000; draw++) {
      const rank = sampler.draw(random);
      counts[rank] = (counts[rank] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect((counts[0] ?? 0) / (counts[10] ?? 1)).toBeCloseTo(12.7 / 2.7, 0);
  });
});
