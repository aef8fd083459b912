import { describe, expect, it } from "vitest";
import { findPager, isLongerThan } from "./pager.ts";

describe("findPager", () => {
  it.each([{ NO_PAGER: "1" }, { PAGER: "" }, { PAGER: "cat" }, { PAGER: "less", NO_PAGER: "1" }])(
    "finds none with %j",
    (env) => {
      expect(findPager(env)).toBeNull();
    },
  );

  it("tells where a pager cannot be started", async () => {
    expect(await findPager({ PATH: "/nowhere", PAGER: "no-such-pager 2> /dev/null" })?.("text")).toBe(false);
    if (process.platform !== "win32") expect(await findPager({ PATH: "/nowhere" })?.("text")).toBe(false);
  });

  it.skipIf(process.platform === "win32")("starts PAGER, which may be left before the end of the text", async () => {
    const env = { PATH: process.env.PATH, PAGER: "head -c 1 > /dev/null" };
    expect(await findPager(env)?.("text\n".repeat(1_000_000))).toBe(true);
  });
});

describe("isLongerThan", () => {
  it.each([
    ["a\nb\n", 80, 3, false],
    ["a\nb\nc\n", 80, 3, true],
    ["x".repeat(160), 80, 2, false],
    ["x".repeat(161), 80, 2, true],
    [`\u001b[1m${"x".repeat(80)}\u001b[22m`, 80, 1, false],
    ["潮".repeat(41), 80, 1, true],
  ])("%j on %d × %d: %j", (text, columns, rows, expected) => {
    expect(isLongerThan(text, { columns, rows })).toBe(expected);
  });
});
