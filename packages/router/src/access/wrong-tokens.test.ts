import { expect, it } from "vitest";
import { WrongTokens } from "./wrong-tokens.ts";

it("counts for the latest 10,000 clients, so that memory stays bounded", () => {
  const wrongTokens = new WrongTokens(10, () => 0);
  const address = (n: number) => `10.0.${n >> 8}.${n & 255}`;
  const exhaust = (n: number) => {
    for (let attempt = 0; attempt < 10; attempt++) wrongTokens.count(address(n));
  };
  exhaust(0);
  exhaust(1);
  for (let n = 2; n < 10_000; n++) wrongTokens.count(address(n));
  expect(wrongTokens.count(address(0))).toBe(60_000);
  expect(wrongTokens.count(address(1))).toBe(60_000);
  wrongTokens.count(address(10_000));
  expect(wrongTokens.count(address(0))).toBeNull();
  expect(wrongTokens.count(address(2))).toBeNull();
});
