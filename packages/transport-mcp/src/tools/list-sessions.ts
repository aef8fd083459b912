import { SESSION_FORMATS, textsOf } from "@sm/core";
import { type Answer, type AnswerItem, Budget, counted, fittingCursor, joinAnswer } from "../answer.ts";
import { call } from "../commands.ts";
import { othersTurn } from "../context.ts";
import { describeSession, isOwn, readAgent, readTime } from "../sessions.ts";
import { budgetOf, maxChars, tool } from "../tool.ts";

const DEFAULT_LIMIT = 20;

export const listSessions = tool({
  name: "list_sessions",
  title: "List sessions",
  description:
    "Lists earlier sessions, newest first, with reference, title, agent, project and cost. Filter by words of title, " +
    "first prompt or path (query).",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", maxLength: 800 },
      project: { type: "string", description: "Part of the working directory" },
      since: { type: "string" },
      until: { type: "string" },
      agent: { type: "string", enum: SESSION_FORMATS },
      limit: { type: "integer", minimum: 1, maximum: 100 },
      max_chars: maxChars,
      cursor: { type: "string", maxLength: 8_192 },
    },
  },
  async run(args, context) {
    const isPath = args.project !== undefined && /^(\/|[A-Za-z]:\\)/.test(args.project);
    const words = [args.query, isPath ? undefined : args.project].filter((part) => part !== undefined);
    const most = budgetOf(args);
    const { sessions, total, next_cursor } = await call(context.send, "list_sessions", {
      query: words.length === 0 ? undefined : words.join(" ").slice(0, 1_000),
      project: isPath ? args.project : undefined,
      since: readTime("since", args.since, context),
      until: readTime("until", args.until, context),
      format: readAgent(args.agent),
      archived: "include",
      limit: args.limit ?? DEFAULT_LIMIT,
      cursor: args.cursor,
    });
    const beginning: Answer = { text: `${counted(total, "session")}.`, data: { total } };
    const cursor = fittingCursor(next_cursor, most);
    const budget = new Budget(most, beginning, cursor ?? "");
    const items: AnswerItem[] = [];
    const listed = sessions.filter((session) => !isOwn(session, context));
    for (const record of listed) {
      const item = describeSession(record, textsOf(context, record.cwd));
      if (!budget.take(item)) break;
      items.push(item);
      if (items.length % 10 === 0) await othersTurn();
    }
    const left = listed.length - items.length;
    const hasMore = cursor !== null && left === 0;
    return joinAnswer(beginning, "sessions", items, {
      text:
        left > 0
          ? `${counted(left, "session")} of this page left out: raise max_chars or lower limit.`
          : hasMore
            ? `More with cursor "${cursor}".`
            : "",
      data: { left_out: left, ...(hasMore && { next_cursor: cursor }) },
    });
  },
});
