import type { AgentResource } from "@sm/core";
import type { Command } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { absolutePath } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import type { Column } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { examples, projectName, writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

const KINDS = [
  ["skills", "list_skills", "instructions that the agent can load"],
  ["prompts", "list_prompts", "prompts that the agent offers as commands"],
  ["themes", "list_themes", "colors of the agent"],
] as const;

interface ResourceOptions {
  project?: string;
}

/** Adds `skills`, `prompts` and `themes`, each with `show`. */
export function addResources(program: Command, run: Run): void {
  for (const [name, command, description] of KINDS) {
    const listed = (connection: Connection, project: string | undefined): Promise<AgentResource[]> =>
      call(connection, command, { project: project === undefined ? undefined : absolutePath(project) });
    const kind = program
      .command(name)
      .description(`list ${name}: ${description}`)
      .option("--project <directory>", "global ones and those of this working directory")
      .addHelpText(
        "after",
        examples(`session-cli ${name}`, `session-cli ${name} --project .`, `session-cli ${name} show <name>`),
      )
      .action((options: ResourceOptions) =>
        run(async (connection, shell) => {
          const resources = await listed(connection, options.project);
          const columns = columnsOf(shell);
          writeList(shell, resources, resources, { columns, things: name, name: (resource) => resource.name });
          if (!shell.json && !shell.quiet) shell.show(problemsText(resources, shell));
        }),
      );
    kind
      .command("show")
      .description("print the text of one")
      .argument("<name>", "name or path")
      .addHelpText("after", examples(`session-cli ${name} show <name>`))
      .action((named: string) =>
        run(async (connection, shell) => {
          const { path } = findResource(named, await listed(connection, kind.opts<ResourceOptions>().project), name);
          const resource = await call(connection, "read_resource", { path });
          if (shell.json) shell.writeJson(resource);
          else await shell.writeBytes(oneChunk(resource.content));
        }),
      );
  }
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

/** @throws {CliError} `notFound` for no match or several; lists the candidates. */
function findResource(named: string, resources: readonly AgentResource[], kind: string): AgentResource {
  const path = absolutePath(named);
  const exact = resources.find((resource) => resource.path === path);
  if (exact !== undefined) return exact;
  const [only, ...others] = resources.filter(({ name }) => name === named);
  if (only === undefined) {
    throw new CliError(EXIT.notFound, `There is no "${visible(named)}"; session-cli ${kind} lists all.`);
  }
  if (others.length === 0) return only;
  const lines = [only, ...others].map(({ path }) => `  ${visible(path)}`);
  throw new CliError(EXIT.notFound, `"${visible(named)}" is ambiguous; give the path:`, lines);
}

function columnsOf({ colors }: Shell): Column<AgentResource>[] {
  return [
    { head: "NAME", cell: ({ name }) => name, flexible: true, paint: colors.bold },
    { head: "FROM", cell: ({ source, project }) => (project === null ? source : projectName(project)) },
    { head: "ON", cell: ({ enabled }) => (enabled ? "yes" : "no") },
    { head: "DESCRIPTION", cell: ({ description }) => description ?? "", flexible: true, optional: true },
  ];
}

function problemsText(resources: readonly AgentResource[], { colors }: Shell): string {
  const wrong = resources.filter(({ problems }) => problems.length > 0);
  const problems = wrong.map(
    ({ path, problems }) => `${visible(path)}\n${problems.map((text) => `  ${visible(text)}\n`).join("")}`,
  );
  return problems.length === 0 ? "" : `\n${colors.bold("Problems")}\n${problems.join("")}`;
}
