import { expect, it } from "vitest";
import { agentName, OTHER_AGENTS } from "./agents.ts";
import { formats } from "./format/formats.ts";

it.each(formats)("the agent of $name has one name everywhere", ({ name, agent }) => {
  expect(agentName(name)).toBe(agent.name);
});

it.each(OTHER_AGENTS)("the files of $name are only read where nothing writes their format", ({ agent, onlyRead }) => {
  const format = formats.find(({ name }) => name === agent);
  if (format !== undefined) expect(format.writer === null).toBe(onlyRead);
});

it("an agent that is not known is called what its format is called", () => {
  expect(agentName("another")).toBe("another");
});
