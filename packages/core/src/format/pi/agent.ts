import { shellQuote } from "../../shell-quote.ts";
import { type Agent, inDirectory } from "../agent.ts";

/** The extension pi-subagents keeps sessions in a folder with the name of the session file that has started them. */
const OF_EXTENSION = /^(.+)[\\/][^\\/]+[\\/]run-\d+[\\/][^\\/]+\.jsonl$/;

/** So does Oh My Pi, without folders for each run. Files with other names are the user's, as are folders of the same name. */
const NAMED_BY_AGENT = /(?:^|[\\/])\d{4}-\d\d-\d\dT[\d-]+Z_[^\\/]+$/;
const IN_SESSION_FOLDER = /(?:^|[\\/])\d{4}-\d\d-\d\dT[\d-]+Z_[^\\/]+[\\/]/;

/** pi (`@earendil-works/pi-coding-agent`): takes a path from any directory. */
export const piAgent: Agent = {
  name: "pi",
  isStartable: true,
  isForkable: true,
  forksByCopy: false,
  startedBy(path) {
    const base = OF_EXTENSION.exec(path)?.[1];
    if (base !== undefined) return `${base}.jsonl`;
    return IN_SESSION_FOLDER.test(path) ? path.replace(/[\\/][^\\/]*$/, ".jsonl") : null;
  },
  companions(path) {
    const base = path.replace(/\.jsonl$/, "");
    return NAMED_BY_AGENT.test(base) ? [base] : [];
  },
  resumeCommand({ path, cwd }) {
    const command = `pi --session ${shellQuote(path)}`;
    return inDirectory(cwd, command) ?? command;
  },
};
