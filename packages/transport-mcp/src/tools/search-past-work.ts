import { referenceOf, SESSION_FORMATS, type SearchHit, type Texts, textsOf } from "@sm/core";
import { type Answer, type AnswerItem, Budget, counted, fittingCursor, joinAnswer, shortTime } from "../answer.ts";
import { call } from "../commands.ts";
import { type McpContext, othersTurn } from "../context.ts";
import { isNoQuery, someWordsOf } from "../question.ts";
import { hitsBySession, isOwn, projectOf, readAgent, readTime, titleOf } from "../sessions.ts";
import { budgetOf, maxChars, tool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const DEFAULT_LIMIT = 10;
/** Hits shown of one session. */
const PER_SESSION = 3;
const MAX_QUERY = 1_000;
/** Marks the cursors of queries with some of the words; the others are base64url. */
const WIDER = "~";
const SOME_WORDS = "No text has all words; these have some of them. ";
const NO_QUERY = "The query could not be read as one, see the description; these have some of its words. ";

export const searchPastWork = tool({
  name: "search_past_work",
  title: "Search past work",
  description:
    "Searches all earlier sessions of coding agents on this machine: prompts, answers, tool calls and their outputs. " +
    "Use it before you debug an error, decide a design, or ask the user what was done before.\n" +
    'Query: all words, or some where no text has all; "exact phrase"; prefix*; a OR b; -without; ~"any characters". ' +
    "Fields: role:user|assistant|tool, tool:bash, file:src/app.ts, name:, tag:. Fewer, rarer words find more: names " +
    "from the code, or the distinctive part of an error in quotes.\n" +
    "Returns hits by session with references for read_session.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", maxLength: MAX_QUERY },
      project: { type: "string", description: "Part of the working directory" },
      since: { type: "string", description: "2026-03, 7d, last-week" },
      until: { type: "string" },
      agent: { type: "string", enum: SESSION_FORMATS },
      limit: { type: "integer", minimum: 1, maximum: 50, description: "Hits" },
      max_chars: maxChars,
      cursor: { type: "string", maxLength: 8_192 },
    },
    required: ["query"],
  },
  async run(args, context) {
    const isWider = args.cursor?.startsWith(WIDER) ?? false;
    const filters = {
      since: readTime("since", args.since, context),
      until: readTime("until", args.until, context),
      format: readAgent(args.agent),
      archived: "include",
      // The session that asks has its own hits, which are left out: what it looks for is a prompt of it.
      limit: (args.limit ?? DEFAULT_LIMIT) + (context.ownSession === null ? 0 : PER_SESSION),
      per_session: PER_SESSION,
      cursor: isWider ? args.cursor?.slice(WIDER.length) : args.cursor,
    } as const;
    const inProject = args.project === undefined ? "" : ` project:"${args.project.replaceAll('"', " ")}"`;
    const search = (query: string) =>
      call(context.send, "search", { ...filters, query: inProject === "" ? query : `(${query})${inProject}` });
    const most = MAX_QUERY - inProject.length - "()".length;
    const wider = someWordsOf(args.query, most);
    const isWhole = args.query.length <= most && !(wider !== null && isNoQuery(args.query));
    if (isWhole && !(isWider && wider !== null)) {
      const found = await search(args.query);
      // A later page may have no hits, but its query had some.
      if (wider === null || args.cursor !== undefined || othersOf(found, context).length > 0) {
        return answer(found, budgetOf(args), context);
      }
    }
    if (wider === null) throw new ToolError("invalid_arguments", '"query" and "project" are too long together.');
    return answer(await search(wider), budgetOf(args), context, isWhole ? SOME_WORDS : NO_QUERY);
  },
});

type Found = Awaited<ReturnType<typeof call<"search">>>;

function othersOf({ hits }: Found, context: McpContext): SearchHit[] {
  return hits.filter(({ session_id: id, session_path: path }) => !isOwn({ id, path }, context));
}

/** @param remark on the query that was asked instead, if it was. */
async function answer(found: Found, most: number, context: McpContext, remark = ""): Promise<Answer> {
  const { total, total_is_exact, indexing, next_cursor } = found;
  const cursor = fittingCursor(next_cursor === null || remark === "" ? next_cursor : WIDER + next_cursor, most);
  const hits = othersOf(found, context);
  const pending = indexing.pending > 0 ? ` ${counted(indexing.pending, "file")} still to be indexed.` : "";
  const count = `${total_is_exact ? "" : "about "}${counted(total, "hit")}`;
  const beginning: Answer = { text: `${remark}${count}.${pending}`, data: { total } };
  const budget = new Budget(most, beginning, cursor ?? "");
  const items: AnswerItem[] = [];
  let shown = 0;
  for (const ofSession of hitsBySession(hits)) {
    const texts = textsOf(context, ofSession[0]?.cwd ?? null);
    const item = describeHits(ofSession, texts);
    if (!budget.take(item)) break;
    items.push(item);
    shown += ofSession.length;
    await othersTurn();
  }
  const left = hits.length - shown;
  const hasMore = cursor !== null && left === 0;
  const hints = [
    left > 0 ? `${counted(left, "hit")} of this page left out: raise max_chars or lower limit.` : "",
    hasMore ? `More with cursor "${cursor}".` : "",
    hits.length === 0 ? "Try fewer or other words, or list_sessions." : "",
  ];
  return joinAnswer(beginning, "sessions", items, {
    text: hints.filter((hint) => hint !== "").join(" "),
    data: { left_out: left, ...(hasMore && { next_cursor: cursor }) },
  });
}

function describeHits(hits: readonly SearchHit[], texts: Texts): AnswerItem {
  const [first] = hits;
  const title = titleOf(first?.session_title ?? "", texts);
  const project = projectOf(first?.cwd ?? null, texts);
  const lines = hits.map((hit) => {
    const ref = referenceOf(hit.session_id, hit.entry_id);
    const what = hit.tool_name === null ? hit.kind : `${hit.kind} ${hit.tool_name.slice(0, 100)}`;
    const snippet = redactedSnippet(hit.snippet, texts);
    return {
      text: `- ${ref} ${shortTime(hit.timestamp)} ${hit.role ?? ""} (${what}): ${snippet}`,
      data: {
        ref,
        role: hit.role,
        kind: hit.kind,
        tool: hit.tool_name?.slice(0, 100) ?? null,
        time: hit.timestamp,
        snippet,
      },
    };
  });
  return {
    text: `"${title}" (${first?.format}${project === null ? "" : `, ${project}`})\n${lines.map(({ text }) => text).join("\n")}`,
    data: {
      session: referenceOf(first?.session_id ?? ""),
      title,
      agent: first?.format ?? null,
      project,
      hits: lines.map(({ data }) => data),
    },
  };
}

/** The end of a private key whose beginning is not in the snippet. */
const KEY_END = /^….*?-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/s;
/** Whole lines of a key, which snippets have as words; hashes are of hexadecimal digits alone. */
const KEY_LINE = /(?<![\w+/=])(?![\da-f]+(?![\w+/=]))[A-Za-z0-9+/]{60,76}={0,2}(?![\w+/=])/g;
/** What may be a piece of a secret whose other piece is not in the snippet. */
const CUT_START = /^…[\w+/=.~-]{12,}/;
const CUT_END = /[\w+/=.~-]{12,}…$/;

function redactedSnippet(snippet: string, texts: Texts): string {
  const isCut = snippet.startsWith("…") || snippet.endsWith("…");
  const redacted = texts.beginning(snippet.replace(/…$/, "")) + (snippet.endsWith("…") ? "…" : "");
  if (!texts.redacts || !isCut) return redacted;
  return redacted.replace(KEY_END, "…").replaceAll(KEY_LINE, "…").replace(CUT_START, "…").replace(CUT_END, "…");
}
