import { shellQuote } from "../../shell-quote.ts";
import { type Agent, inDirectory } from "../agent.ts";

/** pi (`@earendil-works/pi-coding-agent`): takes a path from any directory. */
export const piAgent: Agent = {
  name: "pi",
  isStartable: true,
  isForkable: true,
  resumeCommand({ path, cwd }) {
    const command = `pi --session ${shellQuote(path)}`;
    return inDirectory(cwd, command) ?? command;
  },
};
