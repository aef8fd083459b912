import { cursor, identifier, optional, path, wholeNumber } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { ID, PROJECT, SESSION } from "./example-values.ts";

const command = commandUsing<"sharedProjects">();

const project = v.pipe(path, v.description("A working directory of one's own sessions; those below it are meant too."));

const userIds = v.pipe(
  v.array(identifier),
  v.nonEmpty("Must not be empty."),
  v.maxLength(1_000, "At most 1000 users."),
  v.description("IDs of list_hub_users."),
);

const users = v.array(v.strictObject({ id: v.string(), name: v.string() }));

const sharedProject = v.strictObject({
  project: v.string(),
  owner: v.pipe(v.nullable(v.string()), v.description("Whose sessions they are; null: one's own.")),
  everybody: v.pipe(v.boolean(), v.description("Whether every user of the hub may read them.")),
  users: v.pipe(users, v.description("Who may read them besides; of one's own projects only.")),
  sessions: v.number(),
  shared_at: v.string(),
});

export const sharedProjectCommands = {
  list_hub_users: command({
    summary: "Lists the users of the hub by name: projects can be shared with them.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(
      v.strictObject({
        id: v.string(),
        name: v.string(),
        role: v.picklist(["owner", "member", "reader"]),
        is_me: v.boolean(),
      }),
    ),
    run: (_input, { sharedProjects }) => sharedProjects.users(),
  }),

  list_shared_projects: command({
    summary: "Lists the projects whose sessions one shares with others, and those that others share with oneself.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(sharedProject),
    run: (_input, { sharedProjects }) => sharedProjects.list(),
  }),

  share_project: command({
    summary: "Lets users of the hub, or all of them, read the sessions of a project, those to come too.",
    access: "write",
    input: v.strictObject({
      project,
      users: optional(userIds),
      everybody: optional(v.pipe(v.boolean(), v.description("Every user of the hub, also those who come later."))),
    }),
    example: { project: PROJECT, users: [ID] },
    output: sharedProject,
    run: (input, { sharedProjects }) => sharedProjects.share(input),
  }),

  unshare_project: command({
    summary: "Takes back at once that users, or everybody and all, may read a project.",
    access: "write",
    input: v.strictObject({
      project: v.pipe(path, v.description("As list_shared_projects has it.")),
      users: optional(userIds),
      everybody: optional(v.pipe(v.boolean(), v.description("Default, without users: everybody, and all users."))),
    }),
    example: { project: PROJECT },
    output: v.strictObject({ project: v.string(), users, everybody: v.boolean() }),
    run: (input, { sharedProjects }) => sharedProjects.unshare(input),
  }),

  list_reads: command({
    summary:
      "Lists who has read one's own sessions, newest first; an owner of the hub sees all reads of others' sessions.",
    access: "read",
    input: v.strictObject({
      limit: v.nullish(wholeNumber(1, 500), 50),
      cursor: optional(cursor),
      path: optional(v.pipe(path, v.description("Only of this session."))),
    }),
    example: { path: SESSION },
    output: v.strictObject({
      reads: v.array(
        v.strictObject({
          at: v.string(),
          reader: v.string(),
          owner: v.string(),
          session_path: v.string(),
          session_title: v.pipe(
            v.nullable(v.string()),
            v.description("null where the session is gone, or the caller may not see it."),
          ),
          action: v.pipe(v.string(), v.description("Name of the command.")),
        }),
      ),
      next_cursor: v.nullable(v.string()),
    }),
    run: (input, { sharedProjects }) => sharedProjects.reads(input),
  }),
};
