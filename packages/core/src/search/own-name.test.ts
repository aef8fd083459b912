import { describe, expect, it } from "vitest";
import { nameMatcher } from "./own-name.ts";

describe("nameMatcher", () => {
  it.each([
    ["release", false, "The Release of March", true],
    ["rélease", false, "The release", true],
    ["of the", false, "The release of March", true],
    ["rel", false, "The release", false],
    ["rel", true, "The release", true],
    ["the rel", true, "The release", true],
    ["th release", true, "The release", false],
    ["user", false, "getUserName", true],
    ["getUserName", false, "get the user name", true],
    ["getUserName", false, "get the user", false],
    ["getUs", true, "getUserName", true],
    ["", true, "anything", true],
  ])("of %j (open: %j) and %j", (value, prefix, name, expected) => {
    expect(nameMatcher({ value, prefix })(name)).toBe(expected);
  });
});
