import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.ts";

const NAMES = ["ping", "search", "scan_sessions", "list_sessions", "delete_session", "delete_sessions"];

describe("nearest", () => {
  it.each([
    ["pong", "ping"],
    ["Search", "search"],
    ["scan_session", "scan_sessions"],
    ["lists_sessions", "list_sessions"],
    ["delete_sesion", "delete_session"],
    ["", "ping"],
  ])("finds for %j the name %s", (name, expected) => {
    expect(nearest(name, NAMES)).toBe(expected);
  });

  it("finds nothing among nothing", () => {
    expect(nearest("ping", [])).toBeUndefined();
  });

  it("finds every name by itself", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 20 }), { minLength: 1 }), (names) => {
        for (const name of names) expect(nearest(name, names)).toBe(name);
      }),
    );
  });

  it("does not work harder for a name of megabytes", () => {
    const started = performance.now();
    nearest("x".repeat(8_000_000), NAMES);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
