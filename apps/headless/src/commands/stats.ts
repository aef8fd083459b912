import { type ActivitySum, agentName, formatCosts, type SessionFormatName, type SessionStatistics } from "@sm/core";
import type { Command } from "commander";
import { call } from "../connection/connection.ts";
import { absolutePath } from "../connection/session-argument.ts";
import { agentOption, parsePastTime } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { sparkline } from "../terminal/sparkline.ts";
import { type Column, table } from "../terminal/table.ts";
import { projectName } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Without --since and --until all sessions are counted; with them, sessions with a message of their own in that time.
Messages copied by a fork or a clone do not count.

Examples:
  session-cli stats
  session-cli stats --since 30d --project .
  session-cli stats --agent claude --since 7d
  session-cli stats --since last-month --until this-month --json
`;

interface StatsOptions {
  since?: string;
  until?: string;
  project?: string;
  agent?: SessionFormatName;
}

/** Rows of a table; JSON has no limit. */
const MAX_ROWS = 10;
/** More bars are not readable. */
const MAX_BARS = 100;
const DAY_MS = 86_400_000;

/** Adds `stats`. */
export function addStats(program: Command, run: Run): void {
  program
    .command("stats")
    .description("show messages, tokens and cost by model, agent, project, tool and day")
    .option("--since <time>", "only messages since this time, such as 2026-11, 7d, 3mo or yesterday", parsePastTime)
    .option("--until <time>", "only messages before this time", parsePastTime)
    .option("--project <directory>", "only sessions of this working directory")
    .addOption(agentOption())
    .addHelpText("after", HELP)
    .action(({ since, until, project, agent }: StatsOptions) =>
      run(async (connection, shell) => {
        const statistics = await call(connection, "get_session_stats", {
          since,
          until,
          project: project === undefined ? undefined : absolutePath(project),
          format: agent,
          // Days in the user's time zone, independent of the server's.
          time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
        });
        if (shell.json) shell.writeJson(statistics);
        else shell.show(statisticsText(statistics, shell));
      }),
    );
}

function statisticsText(statistics: SessionStatistics, shell: Shell): string {
  const { by_model, by_format, by_project, by_tool } = statistics;
  const sums: Column<ActivitySum>[] = [
    { head: "TOKENS", cell: ({ usage }) => short(usage.total_tokens), align: "right" },
    { head: "COST", cell: ({ usage }) => formatCosts(usage, false) ?? "", align: "right" },
  ];
  return [
    totalsText(statistics, shell),
    daysText(statistics, shell),
    section(shell, by_model, [
      { head: "MODEL", cell: ({ model }) => model ?? UNKNOWN, flexible: true, paint: shell.colors.cyan },
      { head: "PROVIDER", cell: ({ provider }) => provider ?? UNKNOWN, flexible: true, optional: true },
      { head: "ANSWERS", cell: ({ messages }) => whole(messages), align: "right", optional: true },
      ...sums,
    ]),
    section(shell, by_format.length < 2 ? [] : by_format, [
      { head: "AGENT", cell: ({ format }) => agentName(format), flexible: true, paint: shell.colors.cyan },
      { head: "SESSIONS", cell: ({ sessions }) => whole(sessions), align: "right", optional: true },
      { head: "MESSAGES", cell: ({ messages }) => whole(messages), align: "right", optional: true },
      ...sums,
    ]),
    section(shell, by_project, [
      {
        head: "PROJECT",
        cell: ({ project }) => projectName(project) || UNKNOWN,
        flexible: true,
        paint: shell.colors.cyan,
      },
      { head: "SESSIONS", cell: ({ sessions }) => whole(sessions), align: "right", optional: true },
      { head: "MESSAGES", cell: ({ messages }) => whole(messages), align: "right", optional: true },
      ...sums,
    ]),
    section(shell, by_tool, [
      { head: "TOOL", cell: ({ tool }) => tool ?? UNKNOWN, flexible: true, paint: shell.colors.cyan },
      { head: "CALLS", cell: ({ calls }) => whole(calls), align: "right" },
      { head: "ERRORS", cell: ({ errors }) => (errors === 0 ? "" : whole(errors)), align: "right" },
    ]),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const UNKNOWN = "unknown";

function totalsText({ totals, subagents, skipped_files }: SessionStatistics, { colors }: Shell): string {
  const { sessions, messages, tool_calls, usage } = totals;
  const facts = [
    count(sessions, "session"),
    count(messages, "message"),
    count(tool_calls, "tool call"),
    `${short(usage.total_tokens)} tokens`,
    formatCosts(usage) ?? "",
  ];
  const started = [
    count(subagents.sessions, "subagent"),
    `${short(subagents.usage.total_tokens)} tokens`,
    formatCosts(subagents.usage) ?? "",
  ];
  const ofThem =
    subagents.sessions === 0 ? "" : `${colors.dim(`of these ${started.filter((fact) => fact !== "").join(" · ")}`)}\n`;
  const skipped =
    skipped_files === 0 ? "" : `${colors.dim(`${count(skipped_files, "file")} without a session of a known format`)}\n`;
  return `${colors.bold(facts.filter((fact) => fact !== "").join(" · "))}\n${ofThem}${skipped}`;
}

/** One bar per day, or per several days if the terminal is too narrow. */
function daysText({ by_day, streaks }: SessionStatistics, { colors, width }: Shell): string {
  const [first, last] = [by_day[0]?.date, by_day.at(-1)?.date];
  if (first === undefined || last === undefined) return "";
  const dayOf = (date: string) => Date.parse(date) / DAY_MS;
  const days = dayOf(last) - dayOf(first) + 1;
  const daysABar = Math.ceil(days / Math.min(width, MAX_BARS));
  const bars = new Array<number>(Math.ceil(days / daysABar)).fill(0);
  for (const { date, messages } of by_day) {
    const bar = Math.floor((dayOf(date) - dayOf(first)) / daysABar);
    bars[bar] = (bars[bar] ?? 0) + messages;
  }
  const facts = [
    first === last ? first : `${first} to ${last}`,
    daysABar === 1 ? "" : `${daysABar} days a bar`,
    `${count(streaks.current_days, "day")} in a row`,
    `at most ${streaks.longest_days}`,
  ];
  return `${colors.green(sparkline(bars).trimEnd())}\n${colors.dim(facts.filter((fact) => fact !== "").join(" · "))}\n`;
}

function section<Row>(shell: Shell, rows: readonly Row[], columns: readonly Column<NoInfer<Row>>[]): string {
  if (rows.length === 0) return "";
  const { colors, width } = shell;
  const more = rows.length > MAX_ROWS ? `${colors.dim(`and ${rows.length - MAX_ROWS} more`)}\n` : "";
  return table(columns, rows.slice(0, MAX_ROWS), { width, paintHead: colors.bold }) + more;
}

function whole(amount: number): string {
  return amount.toLocaleString("en-US");
}

function short(amount: number): string {
  return amount.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 });
}

function count(amount: number, thing: string): string {
  return `${whole(amount)} ${thing}${amount === 1 ? "" : "s"}`;
}
