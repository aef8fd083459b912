import { type FileUse, failureText, referenceOf, type SearchHit, type Texts, textsOf, useOf } from "@sm/core";
import { type Answer, type AnswerItem, Budget, counted, joinAnswer, shortLine, shortTime } from "../answer.ts";
import { call } from "../commands.ts";
import { type McpContext, othersTurn } from "../context.ts";
import { type Item, SessionPages } from "../session-pages.ts";
import { isOwn, projectOf, titleOf } from "../sessions.ts";
import { budgetOf, maxChars, tool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

/** Sessions that are counted, and those that are told of. */
const MOST_SESSIONS = 200;
const DEFAULT_LIMIT = 10;
/** Calls of one session that are looked at. */
const MOST_CALLS = 50;
/** Calls of one session whose result is looked up: the newest ones. */
const RESULTS_PER_SESSION = 3;
/** Entries behind a call in which its result is looked for. */
const RESULT_WITHIN = 6;

export const sessionsOfFile = tool({
  name: "sessions_of_file",
  title: "Sessions of a file",
  description:
    "Who read, wrote or broke a file: sessions whose tool calls name it, newest first, with the calls that failed. " +
    "Use it before you change a file that others worked on.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path or its end, such as src/app.ts" },
      limit: { type: "integer", minimum: 1, maximum: 50 },
      max_chars: maxChars,
    },
    required: ["path"],
  },
  async run(args, context) {
    const { hits, path, exact } = await callsOn(args.path, context);
    const others = hits.filter(({ session_id: id, session_path }) => !isOwn({ id, path: session_path }, context));
    const shown = shortLine(path, 300);
    const whole = exact ? "" : ` with ${shown} at its end (none with the whole path)`;
    const beginning: Answer = {
      text: `${counted(others.length, "session")} with calls that name this file${whole}.`,
      data: { path: shown, sessions_found: others.length },
    };
    const budget = new Budget(budgetOf(args), beginning);
    const items: AnswerItem[] = [];
    for (const newest of others.slice(0, args.limit ?? DEFAULT_LIMIT)) {
      const calls = await callsOfSession(path, newest.session_path, context);
      const item = await describeUse(calls.length === 0 ? [newest] : calls, context);
      if (!budget.take(item)) break;
      items.push(item);
      await othersTurn();
    }
    const left = others.length - items.length;
    return joinAnswer(beginning, "sessions", items, {
      text: left > 0 ? `${counted(left, "older session")} left out: raise limit or max_chars.` : "",
      data: { left_out: left },
    });
  },
});

/** Calls that name a file: by its whole path, or else by the end of it, as agents also write paths. */
async function callsOn(typed: string, context: McpContext) {
  const parts = typed
    .replaceAll('"', " ")
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) throw new ToolError("invalid_arguments", '"path" names no file.');
  // Names are compared, so a path from the root on is one from its first folder on.
  const all = parts.join("/");
  const hits = await find(all, context);
  if (hits.length > 0 || parts.length < 2) return { hits, path: all, exact: true };
  for (let length = Math.min(3, parts.length - 1); length > 0; length--) {
    const end = parts.slice(-length).join("/");
    const found = await find(end, context);
    if (found.length > 0) return { hits: found, path: end, exact: false };
  }
  return { hits, path: all, exact: true };
}

/** Each session once, with its newest call: so are queries answered that have fields alone. */
async function find(path: string, context: McpContext): Promise<SearchHit[]> {
  const { hits } = await call(context.send, "search", {
    query: fieldsOf(path),
    archived: "include",
    sort: "newest",
    limit: MOST_SESSIONS,
  });
  return hits;
}

/** Calls of one session: the name of the file, which their text has, makes it a query for every one of them. */
async function callsOfSession(path: string, session: string, context: McpContext): Promise<SearchHit[]> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!/[\p{L}\p{N}]/u.test(name)) return [];
  const { hits } = await call(context.send, "search", {
    path: session,
    query: `${fieldsOf(path)} "${name.slice(0, 400)}"`,
    archived: "include",
    sort: "newest",
    limit: MOST_CALLS,
    per_session: MOST_CALLS,
  });
  return hits.filter(({ kind }) => kind === "tool_call");
}

function fieldsOf(path: string): string {
  return `file:"${path.slice(0, 500)}" role:tool`;
}

async function describeUse(calls: readonly SearchHit[], context: McpContext): Promise<AnswerItem> {
  const [newest] = calls;
  const texts = textsOf(context, newest?.cwd ?? null);
  const counts = new Map<FileUse, number>();
  for (const { tool_name } of calls) counts.set(useOf(tool_name), (counts.get(useOf(tool_name)) ?? 0) + 1);
  const uses = (["wrote", "read", "used"] as const).filter((use) => counts.has(use));
  // What was written matters more than what was read.
  const looked = calls
    .toSorted((a, b) => Number(useOf(b.tool_name) === "wrote") - Number(useOf(a.tool_name) === "wrote"))
    .slice(0, RESULTS_PER_SESSION);
  const pages = new SessionPages(newest?.session_path ?? "", context);
  const failures = new Map<string, string>();
  for (const hit of looked) {
    const failure = await failureOf(hit, pages, texts);
    if (failure !== null) failures.set(hit.entry_id, failure);
  }
  const lines = looked.map((hit) => {
    const ref = referenceOf(hit.session_id, hit.entry_id);
    const failure = failures.get(hit.entry_id);
    const use = useOf(hit.tool_name);
    const name = hit.tool_name?.slice(0, 100) ?? "tool";
    return {
      text: `- ${ref} ${shortTime(hit.timestamp)} ${use} (${name})${failure === undefined ? "" : ` FAILED: ${failure}`}`,
      data: { ref, time: hit.timestamp, use, tool: name, ...(failure !== undefined && { failed: failure }) },
    };
  });
  const title = titleOf(newest?.session_title ?? "", texts);
  const project = projectOf(newest?.cwd ?? null, texts);
  const summary = uses.map((use) => `${use} ${counts.get(use)}×`).join(", ");
  return {
    text: `"${title}" (${newest?.format}${project === null ? "" : `, ${project}`}): ${summary}\n${lines.map(({ text }) => text).join("\n")}`,
    data: {
      session: referenceOf(newest?.session_id ?? ""),
      title,
      agent: newest?.format ?? null,
      project,
      uses: Object.fromEntries(uses.map((use) => [use, counts.get(use) ?? 0])),
      calls: lines.map(({ data }) => data),
    },
  };
}

/** The first words of the failure of a call; `null` if it succeeded, or its result is not on the newest branch. */
async function failureOf(hit: SearchHit, pages: SessionPages, texts: Texts): Promise<string | null> {
  const called = callsOf(await pages.entry(hit.entry_id), hit.tool_name);
  for await (const item of pages.after(hit.entry_id, RESULT_WITHIN)) {
    if (item.kind !== "tool_result" || !item.is_error) continue;
    if (item.call_id === null || called.has(item.call_id)) return failureText(item, texts);
  }
  return null;
}

/** IDs of an entry's calls of a tool. */
function callsOf(item: Item | null, toolName: string | null): Set<string> {
  const blocks = item?.kind === "message" ? item.blocks : [];
  return new Set(
    blocks.flatMap((block) =>
      block.kind === "tool_call" && block.id !== null && (toolName === null || block.name === toolName)
        ? [block.id]
        : [],
    ),
  );
}
