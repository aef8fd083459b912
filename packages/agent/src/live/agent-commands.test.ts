import { expect, it } from "vitest";
import { parseCommands } from "./agent-commands.ts";

it("commands that no prompt can begin with are left out, and the others are told in one line of some length", () => {
  const commands = [
    { name: "plan", description: "First\nsecond", source: "prompt" },
    { name: "skill:long", description: "x".repeat(1_000_000), source: "y".repeat(1_000_000) },
    { name: "two words" },
    { name: "a\nb" },
    { name: "n".repeat(1_000) },
    { name: "" },
    { name: 1 },
    null,
  ];
  expect(parseCommands({ commands })).toEqual([
    { name: "plan", description: "First second", source: "prompt" },
    { name: "skill:long", description: "x".repeat(1_024), source: "y".repeat(200) },
  ]);
  expect(parseCommands({ commands: Array.from({ length: 5_000 }, () => ({ name: "a" })) })).toHaveLength(1_000);
  expect(parseCommands(undefined)).toEqual([]);
});
