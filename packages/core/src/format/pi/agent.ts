import { shellQuote } from "../../shell-quote.ts";
import { type Agent, inDirectory } from "../agent.ts";

/** The extension pi-subagents keeps sessions in a folder with the name of the session file that has started them. */
const SUBAGENT = /^(.+)[\\/][^\\/]+[\\/]run-\d+[\\/][^\\/]+\.jsonl$/;

/** Files with other names are the user's, as is a folder of the same name. */
const NAMED_BY_PI = /^(.*[\\/]\d{4}-\d\d-\d\dT[\d-]+Z_[^\\/]+)\.jsonl$/;

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
  companions(path) {
    const base = NAMED_BY_PI.exec(path)?.[1];
    return base === undefined ? [] : [base];
  },
  resumeCommand({ path, cwd }) {
    const command = `pi --session ${shellQuote(path)}`;
    return inDirectory(cwd, command) ?? command;
  },
};
