import { optional, path, wholeNumber } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { PROJECT } from "./example-values.ts";

const command = commandUsing<"retention">();

const project = v.pipe(
  v.nullable(path),
  v.description("A working directory, with those below it; the longest that fits counts. null: all others."),
);
const days = v.pipe(
  v.nullable(wholeNumber(1, 36_500)),
  v.description("Days after the last message, or its arrival if that was earlier; null: for ever."),
);
const includeMarked = optional(
  v.pipe(
    v.boolean(),
    v.description("Whether favorites, and sessions with notes or bookmarks, go too. Default: they stay."),
  ),
);

const rules = v.strictObject({
  rules: v.array(
    v.strictObject({
      project: v.nullable(v.string()),
      days: v.nullable(v.number()),
      include_marked: v.boolean(),
    }),
  ),
  default_days: v.pipe(
    v.nullable(v.number()),
    v.description("Of the hub, for whoever has no rule for all; null: for ever."),
  ),
});

export const retentionCommands = {
  list_retention: command({
    summary: "Lists for how many days the hub keeps one's sessions, by project.",
    access: "read",
    input: v.strictObject({}),
    output: rules,
    run: (_input, { retention }) => retention.list(),
  }),

  set_retention: command({
    summary: "Says for how many days the hub keeps sessions of a project, or all others, after their last message.",
    access: "write",
    input: v.strictObject({ project, days, include_marked: includeMarked }),
    example: { project: PROJECT, days: 365 },
    output: rules,
    run: ({ include_marked, ...rule }, { retention }) =>
      retention.set({ ...rule, include_marked: include_marked ?? false }),
  }),

  remove_retention: command({
    summary: "Takes a rule back: the next longer one counts again, or that of the hub.",
    access: "write",
    input: v.strictObject({ project }),
    example: { project: PROJECT },
    output: rules,
    run: (input, { retention }) => retention.remove(input.project),
  }),

  preview_retention: command({
    summary: "Shows which sessions the hub would remove next, with a rule as well that is not set yet.",
    access: "read",
    input: v.strictObject({
      rule: optional(v.strictObject({ project, days, include_marked: includeMarked })),
      limit: v.nullish(wholeNumber(1, 500), 50),
    }),
    example: { rule: { project: null, days: 365 } },
    output: v.strictObject({
      sessions: v.pipe(v.number(), v.description("With those that are listed below others.")),
      bytes: v.number(),
      first: v.pipe(
        v.array(
          v.strictObject({
            path: v.string(),
            title: v.string(),
            project: v.nullable(v.string()),
            modified_at: v.string(),
            bytes: v.number(),
          }),
        ),
        v.description("The oldest ones."),
      ),
    }),
    run: ({ rule, limit }, { retention }) =>
      retention.preview(rule ? { ...rule, include_marked: rule.include_marked ?? false } : null, limit),
  }),
};
