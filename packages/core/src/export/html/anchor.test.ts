import fc from "fast-check";
import { expect, it } from "vitest";
import { anchorOf } from "./anchor.ts";

it.each([
  ["0dade622", "e-0dade622"],
  ["0196a3c0-1111-7000", "e-0196a3c0-1111-7000"],
  ["a_b", "e-a_5f_b"],
  ['"><img onerror>', "e-_22__3e__3c_img_20_onerror_3e_"],
  ["", "e-"],
  ["\ud83d\ude00", "e-_d83d__de00_"],
])("%j becomes %s", (id, anchor) => {
  expect(anchorOf(id)).toBe(anchor);
});

it("gives every id an anchor of its own", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(anchorOf(one)).toMatch(/^e-[\w-]*$/);
      expect(anchorOf(one) === anchorOf(other)).toBe(one === other);
    }),
  );
});
