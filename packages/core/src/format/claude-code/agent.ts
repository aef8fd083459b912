import { type Agent, inDirectory, isUuid } from "../agent.ts";

/** Subagents, those of workflows too, are in a folder with the name of the session that has started them. */
const SUBAGENT = /^(.+?)[\\/]subagents[\\/](?:.*[\\/])?agent-[^\\/]+\.jsonl$/;

const SESSION = /^(.*[\\/]([^\\/]+))\.jsonl$/;

/** Claude Code: looks an ID up in the project of the directory; its subagents, which have no UUID, are not resumed. */
export const claudeCodeAgent: Agent = {
  name: "Claude Code",
  program: "claude",
  isStartable: false,
  isForkable: false,
  forksByCopy: true,
  titlesOthers: true,
  startedBy(path) {
    const base = SUBAGENT.exec(path)?.[1];
    return base === undefined ? null : `${base}.jsonl`;
  },
  companions(path) {
    const [, base = "", name = ""] = SESSION.exec(path) ?? [];
    if (isUuid(name)) return [base];
    // Besides sessions, whoever puts files of this format elsewhere may have any folder.
    return name.startsWith("agent-") ? [`${base}.meta.json`] : [];
  },
  // Those of subagents are in the folder of the session that has started them.
  outputFolder: (path) => `${SUBAGENT.exec(path)?.[1] ?? path.replace(/\.jsonl$/, "")}/tool-results`,
  resumeCommand: ({ id, cwd }) => (isUuid(id) ? inDirectory(cwd, `claude --resume ${id}`) : null),
};
