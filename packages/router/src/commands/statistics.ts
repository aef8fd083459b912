import { isTimeZone } from "@sm/core";
import * as v from "valibot";
import { command } from "../command.ts";
import { optional, path, text, time } from "../schema/fields.ts";
import { sessionRecord, usage } from "../schema/session-record.ts";

const timeZone = v.pipe(
  text(100),
  v.check(isTimeZone, 'Must be the name of a time zone, such as "UTC" or "Europe/Berlin".'),
  v.description("IANA name of the time zone of days, hours and weeks; the service's own where it is left out."),
);

const sum = { messages: v.number(), usage };
const name = v.nullable(v.string());

export const statisticsCommands = {
  get_session_stats: command({
    summary: "Adds up messages, tokens, cost and tool calls by model, project, tool and time.",
    access: "read",
    input: v.strictObject({
      since: optional(time),
      until: optional(time),
      project: optional(path),
      time_zone: optional(timeZone),
    }),
    output: v.strictObject({
      totals: v.strictObject({
        sessions: v.number(),
        messages: v.number(),
        user_messages: v.number(),
        assistant_messages: v.number(),
        tool_calls: v.number(),
        usage,
      }),
      by_model: v.array(v.strictObject({ model: name, provider: name, ...sum })),
      by_provider: v.array(v.strictObject({ provider: name, ...sum })),
      by_project: v.array(v.strictObject({ project: name, sessions: v.number(), ...sum })),
      by_tool: v.array(v.strictObject({ tool: name, calls: v.number(), errors: v.number() })),
      by_day: v.array(v.strictObject({ date: v.string(), sessions: v.number(), ...sum })),
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
    run: (input, { sessions }) => sessions.statistics(input),
  }),
};
