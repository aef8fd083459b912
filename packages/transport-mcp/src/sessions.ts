import {
  cutToJson,
  formatCosts,
  isAgentNamed,
  oneLine,
  type Reference,
  readTypedTime,
  referenceOf,
  SESSION_FORMATS,
  type SearchHit,
  type SessionFormatName,
  type SessionRecord,
  type Texts,
} from "@sm/core";
import { type AnswerItem, shortLine, shortTime } from "./answer.ts";
import { call } from "./commands.ts";
import type { McpContext } from "./context.ts";
import { ToolError } from "./tool-error.ts";

/** Sessions whose id begins alike; more are not worth listing. */
const MOST_CANDIDATES = 100;
const TITLE_LENGTH = 120;
const CWD_LENGTH = 160;
/** Longer IDs are no ID of an agent. */
const REFERENCE_LENGTH = 300;

/**
 * Finds a session by its id, the beginning of its id, or its path; archived, vanished, or one of a subagent.
 *
 * @throws {ToolError} `not_found` for none or several.
 */
export async function findSession({ session }: Reference, context: McpContext): Promise<SessionRecord> {
  if (session === "") throw notFound("The reference is empty.");
  // The files of a session's subagents are in a directory of its id: newer ones would take up its place.
  let found = await sessionsNamed(session, "folded", context);
  if (found.length === 0) found = await sessionsNamed(session, "all", context);
  const [only, ...others] = found;
  if (only === undefined) {
    throw notFound("No session has this id or path. search_past_work and list_sessions give references.");
  }
  if (others.length === 0) return only;
  const ids = found.slice(0, 5).map(({ id }) => referenceOf(id));
  throw notFound(`Several sessions have an id that begins so: ${ids.join(", ")}. Use one of them.`);
}

/** Sessions with an id or a path, or else those whose id begins so. */
async function sessionsNamed(name: string, subagents: "folded" | "all", context: McpContext): Promise<SessionRecord[]> {
  const { sessions } = await call(context.send, "list_sessions", {
    query: name.slice(0, 1_000),
    archived: "include",
    subagents,
    limit: MOST_CANDIDATES,
  });
  const exact = sessions.filter(({ id, path }) => id === name || path === name);
  // Of files with one id the newest is meant, and comes first.
  return exact.length > 0 ? exact.slice(0, 1) : sessions.filter(({ id }) => id.startsWith(name));
}

function notFound(message: string): ToolError {
  return new ToolError("not_found", message);
}

/** A session in one line of text, and as data. */
export function describeSession(record: SessionRecord, texts: Texts): AnswerItem {
  const { id, format, created_at, modified_at, message_count, usage, source } = record;
  const title = titleOf(record.title, texts);
  const cwd = projectOf(record.cwd, texts);
  const cost = formatCosts(usage);
  const remarks = [
    record.relation === "subagent" ? "subagent" : "",
    record.archived_at === null ? "" : "archived",
    source === "vault" ? "file is gone" : "",
  ].filter((remark) => remark !== "");
  const facts = [
    `${shortTime(modified_at)} UTC`,
    format,
    ...(cwd === null ? [] : [cwd]),
    `${message_count} messages`,
    ...(cost === null ? [] : [cost]),
    ...remarks,
  ];
  const ref = cutToJson(referenceOf(id), REFERENCE_LENGTH);
  return {
    text: `${ref} "${title}"\n  ${facts.join(" · ")}`,
    data: {
      ref,
      title,
      agent: format,
      project: cwd,
      started_at: created_at,
      modified_at,
      messages: message_count,
      cost,
      ...(remarks.length > 0 && { remarks }),
    },
  };
}

/** The title of a session for an answer. */
export function titleOf(title: string, texts: Texts): string {
  return shortLine(texts.beginning(oneLine(title, 2 * TITLE_LENGTH)), TITLE_LENGTH);
}

/** The working directory of a session for an answer. */
export function projectOf(cwd: string | null, texts: Texts): string | null {
  return cwd === null ? null : shortLine(texts.whole(cwd.slice(0, 2 * CWD_LENGTH)), CWD_LENGTH);
}

/** Reads a time as people type it, as RFC 3339. */
export function readTime(name: string, text: string | undefined, context: McpContext): string | undefined {
  if (text === undefined) return undefined;
  const { time, problem } = readTypedTime(text, context.now());
  if (time === null) throw new ToolError("invalid_arguments", `"${name}" ${problem}.`);
  return new Date(time).toISOString();
}

/** Reads the name of an agent, or the first words of it. */
export function readAgent(text: string | undefined): SessionFormatName | undefined {
  if (text === undefined) return undefined;
  const format = SESSION_FORMATS.find((name) => isAgentNamed(text, name, true));
  if (format === undefined) {
    throw new ToolError("invalid_arguments", `"agent" must be one of ${SESSION_FORMATS.join(", ")}.`);
  }
  return format;
}

/** Whether a session is the one that asks. */
export function isOwn({ id, path }: { id: string; path: string }, { ownSession }: McpContext): boolean {
  return ownSession !== null && (id === ownSession || path === ownSession);
}

/** Groups hits by session, in the order of the best hit of each. */
export function hitsBySession(hits: readonly SearchHit[]): SearchHit[][] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    const group = groups.get(hit.session_path);
    if (group === undefined) groups.set(hit.session_path, [hit]);
    else group.push(hit);
  }
  return [...groups.values()];
}
