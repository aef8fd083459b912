import { type Agent, inDirectory, isUuid } from "../agent.ts";

/** Claude Code: looks an ID up in the project of the directory; its subagents, which have no UUID, are not resumed. */
export const claudeCodeAgent: Agent = {
  name: "Claude Code",
  isStartable: false,
  isForkable: false,
  resumeCommand: ({ id, cwd }) => (isUuid(id) ? inDirectory(cwd, `claude --resume ${id}`) : null),
};
