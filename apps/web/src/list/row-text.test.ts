import { expect, it } from "vitest";
import { rowText } from "./row-text.ts";

it.each([
  ["Named", "Fix the clock", "Fixed.", "Fixed."],
  ["Named", "Fix the clock", null, "Fix the clock"],
  ["Fix the clock", "Fix the clock", "Fixed **it** in `clock.ts`.", "Fixed it in clock.ts."],
  ["Fix the clock", "Fix the clock", "Fix the clock", null],
  ["Fix the `clo…", "Fix the `clock`, and more", "Fix the `clock`, and more", null],
  ["Fixed.", "Fix the clock", "Fixed.", "Fix the clock"],
  ["Named", null, null, null],
])("below %j, with %j first and %j last, is %j", (title, first_message, last_message, text) => {
  expect(rowText({ title, first_message, last_message })).toBe(text);
});
