import { type Agent, inDirectory, isUuid } from "../agent.ts";

/** Active sessions are in a folder for each day, archived ones in one for all. */
const IN_HOME = /^(.*[\\/])(?:sessions[\\/]\d{4}[\\/]\d\d[\\/]\d\d|archived_sessions)[\\/][^\\/]+$/;

/** Codex: finds an ID among all of its sessions, and goes on in the directory in which it is called. */
export const codexAgent: Agent = {
  name: "Codex",
  program: "codex",
  isStartable: false,
  isForkable: false,
  forksByCopy: false,
  startedBy: () => null,
  // While a thread is resumed or compressed, there are both.
  companions: (path) => (path.endsWith(".zst") ? [path.slice(0, -".zst".length)] : [`${path}.zst`]),
  titleIndex(path) {
    const home = IN_HOME.exec(path)?.[1];
    return home === undefined ? null : `${home}session_index.jsonl`;
  },
  resumeCommand: ({ id, cwd }) => (isUuid(id) ? inDirectory(cwd, `codex resume ${id}`) : null),
};
