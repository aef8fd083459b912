import { agentName, formatCosts, type SessionFormatName, type SessionRecord } from "@sm/core";
import type { CommandOutput } from "@sm/router";
import { type Command, Option } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { absolutePath } from "../connection/session-argument.ts";
import { findTag } from "../connection/tag-argument.ts";
import { agentOption, archivedOption, parsePastTime, parseWholeNumber } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { type Column, table } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { localTime, projectName, shortIds } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Examples:
  session-cli list --limit 10
  session-cli list tide --project . --since 7d
  session-cli list --favorites --sort cost --json
  session-cli list --tag work/urgent
  session-cli list --agent claude
  session-cli list --archived
`;

interface ListOptions {
  agent?: SessionFormatName;
  project?: string;
  since?: string;
  until?: string;
  sort?: "modified" | "created" | "size" | "messages" | "cost" | "title";
  limit?: number;
  favorites?: true;
  archived?: "include" | "only";
  tag?: string[];
}

/** Adds `list`. */
export function addList(program: Command, run: Run): void {
  program
    .command("list")
    .description("list sessions, newest first")
    .argument("[query...]", "words in the title, the first message, the project, the path or the id")
    .addOption(agentOption())
    .option("--project <directory>", "only sessions of this working directory")
    .option(
      "--since <time>",
      "only sessions with a message since this time, such as 2026-11, 7d, 3mo or yesterday",
      parsePastTime,
    )
    .option("--until <time>", "only sessions whose last message is before this time", parsePastTime)
    .addOption(
      new Option("--sort <order>", "sort order (default: modified)").choices([
        "modified",
        "created",
        "size",
        "messages",
        "cost",
        "title",
      ]),
    )
    .option("-n, --limit <number>", "maximum number of sessions (default: 50)", parseWholeNumber)
    .option("--favorites", "only favorites")
    .addOption(archivedOption())
    .option("--tag <tag>", "only sessions with this tag: its path, name or id; can be repeated", further)
    .addHelpText("after", HELP)
    .action((words: string[], options: ListOptions) =>
      run(async (connection, shell) => {
        const { agent, project, since, until, sort, limit, favorites, archived, tag } = options;
        const tagIds: string[] = [];
        for (const named of tag ?? []) tagIds.push((await findTag(named, connection)).id);
        const page = await call(connection, "list_sessions", {
          query: words.join(" ") || undefined,
          format: agent,
          project: project === undefined ? undefined : absolutePath(project),
          since,
          until,
          sort,
          // Titles ascending, everything else newest or largest first.
          order: sort === "title" ? "asc" : undefined,
          limit,
          favorites_only: favorites,
          archived,
          tag_ids: tag === undefined ? undefined : tagIds,
        });
        if (shell.json) return shell.writeJson(page);
        shell.show(sessionsText(page, shell));
        const isFiltered = [...words, agent, project, since, until, favorites, archived, tag].some(
          (filter) => filter !== undefined,
        );
        if (page.total === 0 && page.pending === 0 && !isFiltered) await tellWhereToLook(connection, shell);
      }),
    );
}

/** Explains an empty list: another server or other directories may have the sessions. */
async function tellWhereToLook(connection: Connection, shell: Shell): Promise<void> {
  const directories = await call(connection, "get_all_session_dirs", {});
  shell.note(
    `There are no sessions in ${directories.map(visible).join(", ")}. Give another home of the agent with ` +
      "--agent-home, or another server with --server <url>. session-cli --demo serves sample sessions.",
  );
}

function further(value: string, others: string[] = []): string[] {
  return [...others, value];
}

/** Prints a page of sessions as a table, with a note about omitted ones; with `--quiet` only IDs. */
export function sessionsText({ sessions, total, pending }: CommandOutput<"list_sessions">, shell: Shell): string {
  const { colors, width } = shell;
  if (shell.quiet) return sessions.map(({ id }) => `${visible(id)}\n`).join("");
  const notes = [sessions.length < total ? `${sessions.length} of ${total} sessions` : sessionCount(total)];
  if (pending > 0) notes.push(`${pending} more files are being read`);
  const summary = `${colors.dim(notes.join("; "))}\n`;
  if (sessions.length === 0) return summary;
  return table(columns(sessions, shell), sessions, { width, paintHead: colors.bold }) + summary;
}

function columns(sessions: readonly SessionRecord[], { colors }: Shell): Column<SessionRecord>[] {
  const shortId = shortIds(sessions.map(({ id }) => id));
  const isMixed = new Set(sessions.map(({ format }) => format)).size > 1;
  const agent: Column<SessionRecord> = { head: "AGENT", cell: ({ format }) => agentName(format), optional: true };
  return [
    { head: "ID", cell: ({ id }) => shortId(id), paint: colors.yellow },
    { head: "MODIFIED", cell: ({ modified_at }) => localTime(modified_at) },
    { head: "MESSAGES", cell: ({ message_count }) => String(message_count), align: "right", optional: true },
    { head: "COST", cell: ({ usage }) => formatCosts(usage, false) ?? "", align: "right", optional: true },
    ...(isMixed ? [agent] : []),
    { head: "PROJECT", cell: ({ cwd }) => projectName(cwd), flexible: true, optional: true, paint: colors.cyan },
    { head: "TITLE", cell: ({ title, is_favorite }) => (is_favorite ? `★ ${title}` : title), flexible: true },
  ];
}

function sessionCount(count: number): string {
  return count === 1 ? "1 session" : `${count} sessions`;
}
