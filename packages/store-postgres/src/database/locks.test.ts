import { expect, it } from "vitest";
import { LOCKS } from "./locks.ts";

it("no two kinds of work have the same lock", () => {
  const numbers = Object.values(LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});
