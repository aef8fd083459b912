import { describe, expect, it } from "vitest";
import { connectionCommands } from "./connection-commands.ts";
import { registry } from "./registry.ts";
import * as v from "./schema/json.ts";

describe("connectionCommands", () => {
  it("are none of the registry", () => {
    expect(Object.keys(connectionCommands).filter((name) => registry.has(name))).toEqual([]);
  });

  it.each(["sessions", "index", "config", "live", "live:a", "terminal:a:b", "live:a\nb", `live:${"x".repeat(256)}`])(
    "take the topic %j",
    (topic) => {
      expect(v.is(connectionCommands.subscribe.input, { topics: [topic] })).toBe(true);
      expect(v.is(connectionCommands.unsubscribe.input, { topics: [topic] })).toBe(true);
    },
  );

  it.each([
    "",
    "Sessions",
    "session",
    "terminal",
    "live:",
    "terminal:",
    "other:a",
    "toString",
    `live:${"x".repeat(257)}`,
  ])("do not take the topic %j", (topic) => {
    expect(v.is(connectionCommands.subscribe.input, { topics: ["index", topic] })).toBe(false);
  });

  it.each([
    [0, false],
    [1, true],
    [100, true],
    [101, false],
  ])("take %d topics: %s", (count, taken) => {
    const topics = Array.from({ length: count }, (_, index) => `live:${index}`);
    expect(v.is(connectionCommands.subscribe.input, { topics })).toBe(taken);
  });

  it.each<[unknown, boolean]>([
    [{ id: "t", seq: 0 }, true],
    [{ id: "t", seq: 9 }, true],
    [{ id: "t", seq: -1 }, false],
    [{ id: "t", seq: 1.5 }, false],
    [{ id: "", seq: 1 }, false],
    [{ seq: 1 }, false],
    [{ id: "t" }, false],
  ])("take the acknowledgement %j: %s", (payload, taken) => {
    expect(v.is(connectionCommands.acknowledge_output.input, payload)).toBe(taken);
  });
});
