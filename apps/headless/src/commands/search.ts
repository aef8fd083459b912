import { agentName, type SearchHit, type SessionFormatName, withResolvedTimes } from "@sm/core";
import type { CommandOutput } from "@sm/router";
import { type Command, Option } from "commander";
import { call } from "../connection/connection.ts";
import { absolutePath } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import { agentOption, archivedOption, parseWholeNumber } from "../option-values.ts";
import { queryWord } from "../parsing.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";
import { cutToWidth, displayWidth, type Range, wrap } from "../terminal/width.ts";
import { localTime, projectName, shortIds } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
The words form one query. All of them must match; case is ignored:
  "exact phrase"  prefix*  ~substring  -without  this OR that  ( )
  role: tool: model: file: project: agent: name: tag: note: has:note
  is:favorite is:bookmarked is:live is:archived is:expiring is:failed is:aborted
  before: after:

Put the query in single quotes: the shell interprets quotes, parentheses, * and ~.

Examples:
  session-cli search tide clock
  session-cli search '"event stream" (sqlite OR postgres) -watchdog'
  session-cli search 'file:src/*.ts after:7d role:user'
  session-cli search migration --project . --sort newest --json
`;

interface SearchOptions {
  role?: "all" | "user" | "assistant" | "tool";
  agent?: SessionFormatName;
  project?: string;
  sort?: "relevance" | "newest";
  limit?: number;
  perSession?: number;
  archived?: "include" | "only";
}

/** Adds `search`. */
export function addSearch(program: Command, run: Run): Command {
  const search = program
    .command("search")
    .description("search the text of all sessions")
    .argument("<query...>", "words, phrases and fields")
    .addOption(new Option("--role <role>", "author").choices(["all", "user", "assistant", "tool"]))
    .addOption(agentOption())
    .option("--project <directory>", "only sessions of this working directory")
    .addOption(new Option("--sort <order>", "sort order").choices(["relevance", "newest"]))
    .option("-n, --limit <number>", "maximum number of hits (default: 20)", parseWholeNumber)
    .option("--per-session <number>", "maximum number of hits of one session (default: 3)", parseWholeNumber)
    .addOption(archivedOption())
    .addHelpText("after", HELP)
    // A word that starts with a dash is part of the query.
    .allowUnknownOption();
  return search.action(
    (typed: string[], { role, agent, project, sort, limit, perSession, archived }: SearchOptions) => {
      const words = typed.map(queryWord);
      const mistyped = words.find((word) => word.startsWith("--"));
      if (mistyped !== undefined) search.error(`error: unknown option '${mistyped}'`);
      return run(async (connection, shell) => {
        const query = words.join(" ");
        try {
          const page = await call(connection, "search", {
            // The server may have another clock and time zone.
            query: withResolvedTimes(query, Date.now()),
            role,
            format: agent,
            project: project === undefined ? undefined : absolutePath(project),
            archived,
            sort,
            limit,
            per_session: perSession,
          });
          if (shell.json) shell.writeJson(page);
          else shell.show(shell.quiet ? sessionIds(page) : pageText(page, shell));
        } catch (error) {
          throw shell.streams.stderr.isTTY === true ? pointedOut(error, query, shell.width) : error;
        }
      });
    },
  );
}

/** Adds a marker below the column that a query error names. */
function pointedOut(error: unknown, query: string, width: number): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "INVALID_PAYLOAD")) return error;
  const column = /\bcolumn (\d+)/.exec(error.message)?.[1];
  if (column === undefined) return error;
  const before = visible(query.slice(0, Number(column) - 1));
  const available = Math.max(MIN_WIDTH, width - QUERY_INDENT.length);
  // For a long query, only the text around the marker.
  const from = wrap(before, Math.floor(available / 2)).at(-1)?.[0] ?? 0;
  const line = cutToWidth(visible(query).slice(from), available);
  const mark = " ".repeat(displayWidth(before.slice(from)));
  return new CliError(EXIT.usage, error.message, [`${QUERY_INDENT}${line}`, `${QUERY_INDENT}${mark}^`]);
}

/** The ID of each session with a hit, once. */
function sessionIds({ hits }: CommandOutput<"search">): string {
  return [...new Set(hits.map(({ session_id }) => `${visible(session_id)}\n`))].join("");
}

function pageText({ hits, total, total_is_exact, indexing }: CommandOutput<"search">, shell: Shell): string {
  const { colors } = shell;
  const shortId = shortIds(hits.map(({ session_id }) => session_id));
  const areOfSeveral = new Set(hits.map(({ format }) => format)).size > 1;
  const blocks = [...new Set(hits.map(({ session_path }) => session_path))].map((path) =>
    sessionText(
      hits.filter(({ session_path }) => session_path === path),
      shortId,
      areOfSeveral,
      shell,
    ),
  );
  const count = `${total_is_exact ? "" : "at least "}${total === 1 ? "1 hit" : `${total} hits`}`;
  const notes = [hits.length < total ? `${hits.length} of ${count}` : count];
  if (indexing.pending > 0) notes.push(`${indexing.pending} sessions are not indexed yet`);
  return [...blocks, `${colors.dim(notes.join("; "))}\n`].join("\n");
}

/** Prints the hits of one session below its title. @param withAgent whether to name its agent. */
function sessionText(
  hits: readonly SearchHit[],
  shortId: (id: string) => string,
  withAgent: boolean,
  shell: Shell,
): string {
  const { colors, width } = shell;
  const [first] = hits;
  if (first === undefined) return "";
  const agent = withAgent ? agentName(first.format) : "";
  const facts = visible([shortId(first.session_id), projectName(first.cwd), agent].filter(Boolean).join("  "));
  const title = cutToWidth(visible(first.session_title), Math.max(MIN_WIDTH, width - displayWidth(facts) - 2));
  const heading = `${colors.bold(title)}  ${colors.yellow(facts)}\n`;
  return heading + hits.map((hit) => hitText(hit, shell)).join("");
}

/** Narrower terminals wrap lines themselves. */
const MIN_WIDTH = 20;
const INDENT = "    ";
const QUERY_INDENT = "  ";

function hitText(hit: SearchHit, { colors, width }: Shell): string {
  const who = hit.role ?? "session";
  const what = hit.tool_name ?? (hit.kind === "text" ? null : hit.kind.replace("_", " "));
  const facts = [localTime(hit.timestamp), who, what].filter((fact) => fact !== null && fact !== "");
  const heading = `  ${colors.dim(visible(facts.join(" · ")))}\n`;
  const highlight = (text: string) => colors.bold(colors.red(text));
  const { text, highlights } = visibleSnippet(hit);
  const lines = wrap(text, Math.max(MIN_WIDTH, width - INDENT.length));
  return (
    heading + lines.map((line) => `${INDENT}${paintRanges(text, line, highlights, highlight).trimEnd()}\n`).join("")
  );
}

/** Escapes a snippet for a terminal and adjusts its highlights, because an escape may have another length. */
function visibleSnippet({ snippet, highlights }: SearchHit): { text: string; highlights: Range[] } {
  let text = "";
  let from = 0;
  const moved: Range[] = [];
  for (const [start, end] of highlights) {
    text += visible(snippet.slice(from, start));
    const movedStart = text.length;
    text += visible(snippet.slice(start, end));
    moved.push([movedStart, text.length]);
    from = end;
  }
  return { text: text + visible(snippet.slice(from)), highlights: moved };
}

/** Highlights the ranges within one line of a text. */
function paintRanges(
  text: string,
  [start, end]: Range,
  ranges: readonly Range[],
  paint: (text: string) => string,
): string {
  let line = "";
  let from = start;
  for (const range of ranges) {
    const [first, last] = [Math.max(range[0], from), Math.min(range[1], end)];
    if (first >= last) continue;
    line += text.slice(from, first) + paint(text.slice(first, last));
    from = last;
  }
  return line + text.slice(from, end);
}
