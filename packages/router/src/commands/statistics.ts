import { sessionFormat, statisticsInput } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { sessionRecord, usage } from "../schema/session-record.ts";

const command = commandUsing<"sessions">();
const sessions = v.pipe(v.number(), v.description("Counted as in `totals`."));
const sessionsOfDay = v.pipe(
  v.number(),
  v.description("Sessions with at least one message of their own (not copied) on that day."),
);
const sum = { messages: v.number(), usage };
const name = v.nullable(v.string());

export const statisticsCommands = {
  get_session_stats: command({
    summary: "Sums messages, tokens, cost and tool calls by model, agent, project, tool and time.",
    access: "read",
    input: statisticsInput,
    example: { since: "2026-01-01", time_zone: "Europe/Berlin" },
    output: v.strictObject({
      totals: v.strictObject({
        sessions: v.pipe(
          v.number(),
          v.description(
            "Without `since` and `until`, all sessions; otherwise sessions with at least one message of their own in that time. A session without messages, or with copied messages only (a clone), is not counted then.",
          ),
        ),
        messages: v.number(),
        user_messages: v.number(),
        assistant_messages: v.number(),
        tool_calls: v.pipe(
          v.number(),
          v.description("Includes calls made by tools, which a session's `tool_call_count` does not."),
        ),
        usage,
      }),
      by_model: v.array(v.strictObject({ model: name, provider: name, ...sum })),
      by_provider: v.array(v.strictObject({ provider: name, ...sum })),
      by_format: v.array(v.strictObject({ format: sessionFormat, sessions, ...sum })),
      subagents: v.pipe(
        v.strictObject({ sessions, ...sum }),
        v.description("What of `totals` sessions have that agents have started in others."),
      ),
      by_project: v.array(v.strictObject({ project: name, sessions, ...sum })),
      by_tool: v.array(v.strictObject({ tool: name, calls: v.number(), errors: v.number() })),
      by_day: v.array(v.strictObject({ date: v.string(), sessions: sessionsOfDay, ...sum })),
      stacks: v.pipe(
        v.nullable(
          v.array(
            v.strictObject({
              name,
              is_rest: v.pipe(v.boolean(), v.description("All others than the ten with the most tokens.")),
              by_day: v.pipe(
                v.array(v.strictObject({ date: v.string(), ...sum })),
                v.description("Of a model, `messages` are answers."),
              ),
            }),
          ),
        ),
        v.description("With `stack_by`, the days of each project, model or agent."),
      ),
      by_hour: v.array(v.strictObject({ hour: v.number(), messages: v.number() })),
      by_weekday: v.array(v.strictObject({ weekday: v.number(), messages: v.number() })),
      by_weekday_hour: v.array(v.strictObject({ weekday: v.number(), hour: v.number(), messages: v.number() })),
      by_project_week: v.array(v.strictObject({ project: name, week: v.string(), ...sum })),
      activity_blocks: v.array(v.strictObject({ start: v.string(), end: v.string(), ...sum })),
      streaks: v.strictObject({
        current_days: v.number(),
        longest_days: v.number(),
        longest_from: name,
        longest_to: name,
      }),
      longest_sessions: v.array(sessionRecord),
      skipped_files: v.number(),
      time_zone: v.string(),
    }),
    // Years of days for each of eleven stacks.
    answerBytes: 8 * MEBIBYTE,
    run: (input, { sessions }, { requester }) => sessions.statistics(input, requester),
  }),
};
