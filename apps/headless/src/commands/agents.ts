import type { AgentHome } from "@sm/core";
import { type Command, Option } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { absolutePath } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import { type Column, table } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { addAgentsMemory, type MemoryActions } from "./agents-memory.ts";
import { examples } from "./display.ts";
import type { Run, RunAlone } from "./run-command.ts";

const HELP = `
<agent> is the name in the first column. The sessions of pi are always read.

Examples:
  session-cli agents
  session-cli agents off codex
  session-cli agents on claude-code --home ~/.claude --home /mnt/laptop/.claude
  session-cli agents install
`;

/** Adds `agents list`, `agents on`, `agents off`, and the commands for their memory. */
export function addAgents(program: Command, run: Run, runAlone: RunAlone, memory: MemoryActions): void {
  const agents = program
    .command("agents")
    .description("show whose sessions are read and where they are, and let agents ask for past work")
    .addHelpText("after", HELP);
  agents
    .command("list", { isDefault: true })
    .description("list the agents, their directories and what was found there")
    .addHelpText("after", examples("session-cli agents list"))
    .action(() =>
      run(async (connection, shell) => {
        show(shell, await call(connection, "get_agent_homes", {}));
        if (!shell.json) await tellSkipped(connection, shell);
      }),
    );
  agents
    .command("on")
    .description("read the sessions of an agent")
    .argument("<agent>", "name of the agent")
    .addOption(
      new Option("--home <directory>", "read this home instead of the usual ones; can be repeated").argParser(further),
    )
    .option("--usual-homes", "read the usual homes again")
    .addHelpText("after", examples("session-cli agents on codex", "session-cli agents on codex --home /mnt/codex"))
    .action((agent: string, { home, usualHomes }: { home?: string[]; usualHomes?: true }) => {
      const homes = usualHomes === true ? [] : home?.map(absolutePath);
      return run((connection, shell) => change(agent, { enabled: true, homes }, connection, shell));
    });
  agents
    .command("off")
    .description("stop reading the sessions of an agent; its files stay as they are")
    .argument("<agent>", "name of the agent")
    .addHelpText("after", examples("session-cli agents off codex"))
    .action((agent: string) => run((connection, shell) => change(agent, { enabled: false }, connection, shell)));
  addAgentsMemory(agents, runAlone, memory);
}

function further(value: string, others: string[] = []): string[] {
  return [...others, value];
}

async function change(
  agent: string,
  { enabled, homes }: { enabled: boolean; homes?: string[] | undefined },
  connection: Connection,
  shell: Shell,
): Promise<void> {
  const known = await call(connection, "get_agent_homes", {});
  const before = known.find((one) => one.agent === agent);
  if (before === undefined) {
    const names = known.map((one) => one.agent).filter((name) => name !== "pi");
    throw new CliError(EXIT.notFound, `No agent is named "${agent}"; there are ${names.join(", ")}.`);
  }
  if (agent === "pi") throw new CliError(EXIT.usage, "The sessions of pi are always read.");
  const agents = { [agent]: { enabled, homes: homes ?? before.homes } };
  show(shell, await call(connection, "save_agent_homes", { agents }));
}

/** Files of agents whose format is not known, empty ones and others. */
async function tellSkipped(connection: Connection, shell: Shell): Promise<void> {
  const { skipped_files } = await call(connection, "get_session_stats", {});
  if (skipped_files === 0) return;
  const files = skipped_files === 1 ? "1 file there holds" : `${skipped_files} files there hold`;
  const were = skipped_files === 1 ? "was" : "were";
  shell.note(
    `${files} no session of a known format and ${were} skipped. ` +
      "docs/formats.md of Session Manager says which formats are read and how one is added.",
  );
}

/** One line for each directory, and for agents without one. */
interface Row extends AgentHome {
  directory: string;
  isFirst: boolean;
}

function show(shell: Shell, agents: readonly AgentHome[]): void {
  if (shell.json) shell.writeJson(agents);
  else if (shell.quiet) shell.show(agents.map(({ agent }) => `${visible(agent)}\n`).join(""));
  else shell.show(table(columns, agents.flatMap(rowsOf), { width: shell.width, paintHead: shell.colors.bold }));
}

/** The directories that exist, else the first one in which sessions are looked for. */
function rowsOf(agent: AgentHome): Row[] {
  const existing = agent.directories.filter(({ exists }) => exists);
  const shown = existing.length > 0 ? existing : agent.directories.slice(0, 1);
  if (shown.length === 0) return [{ ...agent, directory: "", isFirst: true }];
  return shown.map(({ path, exists }, place) => ({
    ...agent,
    directory: exists ? path : `${path} (missing)`,
    isFirst: place === 0,
  }));
}

const columns: readonly Column<Row>[] = [
  { head: "AGENT", cell: ({ agent, isFirst }) => (isFirst ? agent : "") },
  { head: "NAME", cell: ({ name, isFirst }) => (isFirst ? name : ""), optional: true },
  { head: "READ", cell: ({ enabled, isFirst }) => (isFirst ? (enabled ? "on" : "off") : "") },
  { head: "SESSIONS", cell: ({ sessions, isFirst }) => (isFirst ? String(sessions) : ""), align: "right" },
  { head: "DIRECTORY", cell: ({ directory }) => directory, flexible: true },
];
