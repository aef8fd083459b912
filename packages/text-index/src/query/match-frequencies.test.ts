import fc from "fast-check";
import { expect, it } from "vitest";
import { MatchFrequencies } from "./match-frequencies.ts";

const DOCUMENTS = 3000;

it("adds frequencies up to the highest one, however many documents there are", () => {
  const anyAdded = fc.array(fc.tuple(fc.nat(DOCUMENTS - 1), fc.integer({ min: 1, max: 200 })), {
    maxLength: 2500,
    size: "max",
  });
  fc.assert(
    fc.property(anyAdded, (added) => {
      const frequencies = new MatchFrequencies(DOCUMENTS);
      const expected = new Map<number, number>();
      for (const [document, frequency] of added) {
        frequencies.add(document, frequency);
        expected.set(document, Math.min(255, (expected.get(document) ?? 0) + frequency));
      }
      const { all, listed } = frequencies;
      const told = all === null ? listed : new Map([...all.entries()].filter(([, frequency]) => frequency > 0));
      expect(new Map(told)).toEqual(expected);
      expect(all === null || listed.size === 0).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it.each([
  [1024, false],
  [1025, true],
])("of %i documents, has a byte for each of all: %s", (count, isAll) => {
  const frequencies = new MatchFrequencies(DOCUMENTS);
  for (let document = 0; document < count; document++) frequencies.add(document, 1);
  expect(frequencies.all !== null).toBe(isAll);
});
