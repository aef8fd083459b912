import { shellQuote } from "../../shell-quote.ts";
import { type Agent, inDirectory } from "../agent.ts";

/** The extension pi-subagents keeps sessions in a folder with the name of the session file that has started them. */
const SUBAGENT = /^(.+)[\\/][^\\/]+[\\/]run-\d+[\\/][^\\/]+\.jsonl$/;

/** pi (`@earendil-works/pi-coding-agent`): takes a path from any directory. */
export const piAgent: Agent = {
  name: "pi",
  isStartable: true,
  isForkable: true,
  forksByCopy: false,
  startedBy(path) {
    const base = SUBAGENT.exec(path)?.[1];
    return base === undefined ? null : `${base}.jsonl`;
  },
  resumeCommand({ path, cwd }) {
    const command = `pi --session ${shellQuote(path)}`;
    return inDirectory(cwd, command) ?? command;
  },
};
