import { HandOverBrief, readReference, textsOf } from "@sm/core";
import { readArguments } from "./arguments.ts";
import type { McpContext } from "./context.ts";
import { SessionPages } from "./session-pages.ts";
import { findSession } from "./sessions.ts";
import { listSessions } from "./tools/list-sessions.ts";
import { readSession } from "./tools/read-session.ts";

/** A prompt that a person picks in the client. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { name: string; description: string; required: boolean }[];
  text(given: unknown, context: McpContext): Promise<string>;
}

/** Entries that are looked through from the end for a brief. */
const MOST_ENTRIES = 1_000;

const BRIEF = {
  type: "object",
  properties: { project: { type: "string" } },
  required: ["project"],
} as const;
const HAND_OVER = { type: "object", properties: { ref: { type: "string" } }, required: ["ref"] } as const;

export const prompts: readonly Prompt[] = [
  {
    name: "brief_me_on_this_project",
    title: "Brief me on this project",
    description: "What was done in a project before, from its newest sessions.",
    arguments: [{ name: "project", description: "Its folder, or a part of the path", required: true }],
    async text(given, context) {
      const { project } = readArguments(BRIEF, given);
      const { text } = await listSessions.run({ project, limit: 15, max_chars: 6_000 }, context);
      return (
        `Brief me on the project "${project}". Its newest sessions:\n\n${text}\n\n` +
        "Read get_session_summary of those that matter, and search_past_work where decisions are unclear. Then tell in " +
        "at most 30 lines: what the project is, what was done last, decisions and their reasons, what failed, and what " +
        "is open. Cite the reference of the session behind each statement."
      );
    },
  },
  {
    name: "hand_over_this_session",
    title: "Hand over this session",
    description: "A brief of a session, for somebody who goes on with its work.",
    arguments: [{ name: "ref", description: "session-id", required: true }],
    async text(given, context) {
      const { ref } = readArguments(HAND_OVER, given);
      const record = await findSession(readReference(ref), context);
      const brief = new HandOverBrief(record, textsOf(context, record.cwd));
      const pages = new SessionPages(record.path, context);
      for await (const item of pages.before(null, MOST_ENTRIES)) brief.add(item);
      const end = await readSession.run({ ref, max_chars: 8_000 }, context);
      return (
        "Write a brief with which another agent goes on with the work of this session. Rules have made a draft.\n\n" +
        `${brief.text(!pages.endedEarly)}\n# The end of the session\n\n${end.text}\n\n` +
        "Use read_session for what is left out. The brief has: goal, state, decisions and reasons, changed files, what " +
        "was tried and failed, next steps, each with the reference of the entry that shows it."
      );
    },
  },
];
