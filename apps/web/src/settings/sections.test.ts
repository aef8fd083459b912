import { expect, it } from "vitest";
import { groupsFor, sectionOf } from "./sections.ts";

const HOME = { isHub: false, mayChange: true };
const HUB = { isHub: true, mayChange: true };
const READER = { isHub: true, mayChange: false };

it.each([
  ["", HOME, "sessions"],
  ["api-keys", HOME, "api-keys"],
  ["constructor", HOME, undefined],
  ["api-keys/", HOME, undefined],
  ["machines", HOME, undefined],
  ["", HUB, "machines"],
  ["models", HUB, undefined],
  ["reads", HUB, "reads"],
  ["", READER, "sharing"],
  ["api-keys", READER, undefined],
])("the address %j shows, for %o, %j", (address, who, name) => {
  expect(sectionOf(address, groupsFor(who))?.name).toBe(name);
});
