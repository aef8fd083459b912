import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasTooManyValues } from "./line-values.ts";

/** Whether a text has too many values for a thread that has memory for so many. */
function hasMoreThan(values: number, text: string): boolean {
  const bytes = Buffer.from(text);
  const fill = (buffer: Buffer, offset: number) => bytes.copy(buffer, 0, offset);
  return hasTooManyValues({ fill }, 0, bytes.length, values * 128);
}

function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + countOf(part), 1);
}

describe("values of a line", () => {
  it.each([
    ["[[],[],[]]", 3, true],
    ["[[],[],[]]", 10, false],
    ['["a,b,[{,c"]', 3, false],
    [String.raw`["a\",[[[[,\\",1,2,3]`, 4, true],
    [JSON.stringify({ text: ",".repeat(200_000) }), 10, false],
    [JSON.stringify(Array.from({ length: 100_000 }, () => ({}))), 100_000, true],
  ])("of %.20s… are too many for memory for %s: %s", (text, most, isTooMany) => {
    expect(hasMoreThan(most, text)).toBe(isTooMany);
  });

  it("are never counted too low", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(hasMoreThan(countOf(value) - 1, JSON.stringify(value))).toBe(true);
      }),
    );
  });
});
