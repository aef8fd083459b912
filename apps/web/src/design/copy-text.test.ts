import { expect, it } from "vitest";
import { withoutControls } from "./copy-text.ts";

it.each([
  ["the end of a bracketed paste", "a\u001b[201~\nrm -rf ~\n", "a[201~\nrm -rf ~\n"],
  ["keys", "a\u0003b\u0004c\u007fd\u009b201~e", "abcd201~e"],
  ["nothing of a text", "\tif x:\r\n\té 😀 \u202e", "\tif x:\r\n\té 😀 \u202e"],
])("drops %s", (_, text, expected) => {
  expect(withoutControls(text)).toBe(expected);
});
