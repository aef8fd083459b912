import { describe, expect, it } from "vitest";
import { type ColorChoice, hasColors } from "./color-support.ts";

describe("hasColors", () => {
  it.each<[ColorChoice | undefined, boolean, NodeJS.ProcessEnv, boolean]>([
    [undefined, true, {}, true],
    [undefined, false, {}, false],
    ["auto", true, { TERM: "dumb" }, false],
    ["auto", true, { NO_COLOR: "1" }, false],
    ["auto", true, { NO_COLOR: "" }, true],
    ["auto", false, { FORCE_COLOR: "1" }, true],
    ["auto", true, { FORCE_COLOR: "0" }, false],
    ["auto", false, { FORCE_COLOR: "" }, false],
    ["auto", false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    ["always", false, { NO_COLOR: "1", TERM: "dumb" }, true],
    ["never", true, { FORCE_COLOR: "1" }, false],
    [false, true, { FORCE_COLOR: "1" }, false],
  ])("%j, a terminal: %j, %j → %j", (choice, isTerminal, env, expected) => {
    expect(hasColors(choice, isTerminal, env)).toBe(expected);
  });
});
