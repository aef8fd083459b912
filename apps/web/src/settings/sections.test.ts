import { expect, it } from "vitest";
import { sectionOf } from "./sections.ts";

it.each([
  ["", "sessions"],
  ["api-keys", "api-keys"],
  ["constructor", undefined],
  ["api-keys/", undefined],
])("the address %j shows %j", (address, name) => {
  expect(sectionOf(address)?.name).toBe(name);
});
