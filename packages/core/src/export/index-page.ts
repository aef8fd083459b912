import { type Costs, formatCosts } from "../dollars.ts";
import type { ExportTheme } from "../library.ts";
import { addUsage, noUsage } from "../session/usage.ts";
import { INDEX_STYLE, INDEX_STYLE_HASH } from "./html/assets.ts";
import { lineHtml } from "./html/line-html.ts";

/** Name of the page in an archive. */
export const INDEX_PAGE = "index.html";

/** A session in an archive. */
export interface ArchivedSession {
  /** Below the page; subagents are in folders. */
  file_name: string;
  title: string;
  /** Its working directory. */
  project: string | null;
  /** RFC 3339 in UTC. */
  modified_at: string;
  message_count: number;
  costs: Costs;
  /** Why the file is incomplete; `null` if complete. */
  problem: string | null;
}

/** A requested session that is not in the archive. */
export interface MissingSession {
  name: string;
  reason: string;
}

/** Rows per chunk. */
const BATCH = 100;

const POLICY = `default-src 'none'; style-src '${INDEX_STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** Writes the index page of an archive, self-contained and without a script. */
export function* archiveIndexPage(
  sessions: readonly ArchivedSession[],
  missing: readonly MissingSession[],
  theme: ExportTheme,
): Generator<string, void> {
  yield `<!doctype html>
<html lang="en"${theme === "system" ? "" : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${counted(sessions.length, "session")}</title>
<style>${INDEX_STYLE}</style>
</head>
<body>
<main>
<header>
<h1>${counted(sessions.length, "session")}</h1>
<p class="facts">${facts(sessions)}</p>
</header>
`;
  if (missing.length > 0) {
    yield `<section class="missing">\n<h2>${counted(missing.length, "session")} could not be exported</h2>\n`;
    yield* list("", missing, missingRow);
    yield "</section>\n";
  }
  yield* list(' class="sessions"', sessions, sessionRow);
  yield "</main>\n</body>\n</html>\n";
}

function* list<Row>(attributes: string, rows: readonly Row[], write: (row: Row) => string): Generator<string, void> {
  yield `<ol${attributes}>\n`;
  for (let start = 0; start < rows.length; start += BATCH) {
    yield rows
      .slice(start, start + BATCH)
      .map(write)
      .join("");
  }
  yield "</ol>\n";
}

function facts(sessions: readonly ArchivedSession[]): string {
  const messages = sessions.reduce((sum, { message_count }) => sum + message_count, 0);
  const total = noUsage();
  for (const { costs } of sessions) addUsage(total, { ...noUsage(), ...costs });
  return withCosts(counted(messages, "message"), total);
}

function sessionRow({ file_name, title, project, modified_at, message_count, costs, problem }: ArchivedSession) {
  const size = withCosts(counted(message_count, "message"), costs);
  return [
    `<li><a href="${file_name.split("/").map(encodeURIComponent).join("/")}">`,
    `<span class="title">${shown(title)}</span>`,
    `<span class="meta"><span>${time(modified_at)}</span> <span>${size}</span></span>`,
    project === null ? "" : `<span class="project">${shown(project)}</span>`,
    problem === null ? "" : `<span class="problem">The file is not whole: ${shown(problem)}</span>`,
    "</a></li>\n",
  ].join("");
}

function withCosts(text: string, costs: Costs): string {
  const formatted = formatCosts(costs);
  return formatted === null ? text : `${text} · ${formatted}`;
}

function missingRow({ name, reason }: MissingSession): string {
  return `<li>${reason.includes(name) ? "" : `${shown(name)}: `}${shown(reason)}</li>\n`;
}

/** Isolates the text direction of session data. */
function shown(text: string): string {
  return `<bdi>${lineHtml(text)}</bdi>`;
}

/** In UTC: the reader's time zone is unknown without a script. */
function time(moment: string): string {
  return `<time datetime="${moment}">${moment.slice(0, 16).replace("T", " ")} UTC</time>`;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
