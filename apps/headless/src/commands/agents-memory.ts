import { shellQuote } from "@sm/core";
import { type Command, Option } from "commander";
import { CliError, EXIT } from "../failure.ts";
import {
  findProgram,
  type Installation,
  lookAtAgents,
  ownCommand,
  removeSkill,
  writeSkill,
} from "../memory/installation.ts";
import { MEMORY_AGENTS, SERVER_NAME, type ServerEntry, type UserPlace } from "../memory/memory-agents.ts";
import type { Shell } from "../shell.ts";
import { type Column, table } from "../terminal/table.ts";
import { examples } from "./display.ts";
import type { RunAlone } from "./run-command.ts";

/** What the commands need besides a shell. */
export interface MemoryActions extends UserPlace {
  /** Path of this program. */
  program: string;
  /** Runs a program in the user's terminal. Resolves with its exit code. */
  execute(command: string): Promise<number>;
}

interface Choices {
  url?: string;
  yes?: true;
}

/** One change, as it is shown before it is made. */
interface Step {
  text: string;
  /** @throws CliError */
  make(): Promise<void>;
}

const AGENTS = `${MEMORY_AGENTS.map(({ name }) => name).join(", ")}; default: all whose program is on the PATH`;

/** Adds `agents install`, `agents uninstall` and `agents installed`. */
export function addAgentsMemory(agents: Command, run: RunAlone, actions: MemoryActions): void {
  const yes = () => new Option("-y, --yes", "do not ask before the changes; required without a terminal");
  agents
    .command("install")
    .description("let agents ask for past work: adds the MCP server and a skill that says when to ask")
    .argument("[agent...]", AGENTS)
    .option(
      "--url <url>",
      "address of a running service, such as http://127.0.0.1:52131/mcp (default: start session-cli mcp)",
    )
    .addOption(yes())
    .addHelpText("after", examples("session-cli agents install", "session-cli agents install codex --yes"))
    .action((names: string[], { url, yes }: Choices) =>
      run(async (shell) => {
        const wanted = await chosen(names, actions, "isHere");
        const server = url === undefined ? { command: ownCommand(actions) } : { url: addressOf(url) };
        await change(installSteps(wanted, server, actions), yes === true, shell);
      }),
    );
  agents
    .command("uninstall")
    .description("remove the MCP server and the skill from agents")
    .argument("[agent...]", "default: all that have them")
    .addOption(yes())
    .addHelpText("after", examples("session-cli agents uninstall", "session-cli agents uninstall pi"))
    .action((names: string[], { yes }: Choices) =>
      run(async (shell) => {
        const all = await lookAtAgents(actions);
        await change(uninstallSteps(await chosen(names, actions, "hasServer"), all, actions), yes === true, shell);
      }),
    );
  agents
    .command("installed")
    .description("show which agents can ask for past work")
    .addHelpText("after", examples("session-cli agents installed"))
    .action(() => run(async (shell) => show(shell, await lookAtAgents(actions))));
}

/** Those that were named, else those that are concerned: with the program, or with the server or the skill. */
async function chosen(names: string[], place: UserPlace, concerned: "isHere" | "hasServer"): Promise<Installation[]> {
  const unknown = names.find((name) => !MEMORY_AGENTS.some((agent) => agent.name === name));
  if (unknown !== undefined) {
    const known = MEMORY_AGENTS.map(({ name }) => name).join(", ");
    throw new CliError(EXIT.notFound, `No agent is named "${unknown}"; there are ${known}.`);
  }
  if (names.length > 0)
    return lookAtAgents(
      place,
      MEMORY_AGENTS.filter(({ name }) => names.includes(name)),
    );
  const all = await lookAtAgents(place);
  const found = all.filter((one) => one[concerned] || (concerned === "hasServer" && isOurs(one)));
  if (found.length === 0 && concerned === "isHere") {
    const programs = MEMORY_AGENTS.map(({ program }) => program).join(", ");
    throw new CliError(EXIT.unavailable, `None of the programs ${programs} is on the PATH; install an agent first.`);
  }
  return found;
}

function isOurs({ skillState }: Installation): boolean {
  return skillState === "current" || skillState === "older";
}

function installSteps(agents: Installation[], server: ServerEntry, actions: MemoryActions): Step[] {
  const skills = new Map(agents.map((one) => [one.skill, one]));
  const other = agents.find(({ skillState }) => skillState === "other");
  if (other !== undefined) {
    throw new CliError(EXIT.refused, `${other.skill} is a skill of another origin; move it away.`);
  }
  const taken = agents.find(({ hasOtherServer }) => hasOtherServer);
  if (taken !== undefined) {
    const message = `${taken.agent.serverFile(actions)} has a server "${SERVER_NAME}" of another origin; rename it there.`;
    throw new CliError(EXIT.refused, message);
  }
  return [
    ...agents
      .filter(({ hasServer }) => !hasServer)
      .map(({ agent }) => runStep(agent.program, agent.add(server), actions)),
    ...[...skills.values()]
      .filter(({ skillState }) => skillState !== "current")
      .map(({ skill }) => ({ text: `write ${skill}`, make: () => writeSkill(skill) })),
  ];
}

/** A skill that agents share stays as long as one of them has the server. */
function uninstallSteps(agents: Installation[], all: Installation[], actions: MemoryActions): Step[] {
  const staying = all.filter((one) => one.hasServer && !agents.some(({ agent }) => agent === one.agent));
  const skills = new Set(agents.filter(isOurs).map(({ skill }) => skill));
  for (const { skill } of staying) skills.delete(skill);
  return [
    ...agents.filter(({ hasServer }) => hasServer).map(({ agent }) => runStep(agent.program, agent.remove, actions)),
    ...[...skills].map((skill) => ({ text: `remove ${skill}`, make: () => removeSkill(skill) })),
  ];
}

/** Agents change their configuration themselves: they know its form, and whether one of them runs. */
function runStep(program: string, given: readonly string[], { env, execute }: MemoryActions): Step {
  const command = [program, ...given].map(shellQuote).join(" ");
  if (findProgram(program, env) === null) {
    throw new CliError(EXIT.unavailable, `${program} is not on the PATH. Where it is, run: ${command}`);
  }
  return {
    text: `run ${command}`,
    async make() {
      const code = await execute(command);
      if (code !== 0)
        throw new CliError(EXIT.failure, `${program} ended with ${code}; what was not done yet is left out.`);
    },
  };
}

async function change(steps: readonly Step[], isConfirmed: boolean, shell: Shell): Promise<void> {
  if (steps.length === 0) {
    shell.note("Nothing to change.");
    return;
  }
  if (!isConfirmed && !shell.canAsk) {
    throw new CliError(
      EXIT.usage,
      "Cannot ask for confirmation without a terminal: add --yes.",
      steps.map(({ text }) => `  ${text}`),
    );
  }
  shell.note(steps.map(({ text }) => text).join("\n"));
  if (!isConfirmed && !(await shell.confirm("Make these changes?"))) {
    throw new CliError(EXIT.refused, "Nothing was changed.");
  }
  for (const { make } of steps) await make();
  shell.note("Done. Agents that run notice it when they are started again.");
}

function addressOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new CliError(EXIT.usage, `"${text}" is no http or https address, such as http://127.0.0.1:52131/mcp.`);
}

function show(shell: Shell, agents: readonly Installation[]): void {
  if (shell.json) {
    shell.writeJson(
      agents.map(({ agent, isHere, hasServer, skill, skillState }) => ({
        agent: agent.name,
        is_here: isHere,
        has_server: hasServer,
        skill,
        skill_state: skillState,
      })),
    );
  } else if (shell.quiet) {
    shell.show(agents.map(({ agent, hasServer }) => (hasServer ? `${agent.name}\n` : "")).join(""));
  } else shell.show(table(columns, agents, { width: shell.width, paintHead: shell.colors.bold }));
}

const columns: readonly Column<Installation>[] = [
  { head: "AGENT", cell: ({ agent }) => agent.name },
  { head: "PROGRAM", cell: ({ isHere, agent }) => (isHere ? agent.program : "-") },
  { head: "SERVER", cell: ({ hasServer }) => (hasServer ? "yes" : "no") },
  { head: "SKILL", cell: ({ skillState }) => skillState },
  { head: "PATH OF THE SKILL", cell: ({ skill }) => skill, flexible: true, optional: true },
];
