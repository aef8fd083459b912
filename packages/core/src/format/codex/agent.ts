import { type Agent, inDirectory, isUuid } from "../agent.ts";

/** Codex: finds an ID among all of its sessions, and goes on in the directory in which it is called. */
export const codexAgent: Agent = {
  name: "Codex",
  isStartable: false,
  isForkable: false,
  forksByCopy: false,
  startedBy: () => null,
  // While a thread is resumed or compressed, there are both.
  companions: (path) => (path.endsWith(".zst") ? [path.slice(0, -".zst".length)] : [`${path}.zst`]),
  resumeCommand: ({ id, cwd }) => (isUuid(id) ? inDirectory(cwd, `codex resume ${id}`) : null),
};
