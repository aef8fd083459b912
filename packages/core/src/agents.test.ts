import { expect, it } from "vitest";
import { agentName } from "./agents.ts";
import { formats } from "./format/formats.ts";

it.each(formats)("the agent of $name has one name everywhere", ({ name, agent }) => {
  expect(agentName(name)).toBe(agent.name);
});

it("an agent that is not known is called what its format is called", () => {
  expect(agentName("another")).toBe("another");
});
