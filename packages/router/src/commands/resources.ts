import { optional, path } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { PROJECT, PROMPT } from "./example-values.ts";

const command = commandUsing<"resources">();

const resource = {
  name: v.string(),
  description: v.nullable(v.string()),
  path: v.string(),
  source: v.picklist(["global", "project", "package"]),
  project: v.nullable(v.string()),
  enabled: v.boolean(),
  problems: v.array(v.string()),
};

/** Without a project, resources of all projects are listed. */
const input = v.strictObject({ project: optional(path) });

export const resourceCommands = {
  list_skills: command({
    summary: "Lists the skills of the agent: global ones, those of projects and those of packages.",
    access: "read",
    input,
    output: v.array(v.strictObject(resource)),
    run: ({ project = null }, { resources }, { requester }) => resources.skills(project, requester),
  }),

  list_prompts: command({
    summary: "Lists the prompt templates of the agent, which it offers as commands.",
    access: "read",
    input,
    example: { project: PROJECT },
    output: v.array(v.strictObject({ ...resource, argument_hint: v.nullable(v.string()) })),
    run: ({ project = null }, { resources }, { requester }) => resources.prompts(project, requester),
  }),

  list_themes: command({
    summary: "Lists the themes of the agent with their colors.",
    access: "read",
    input,
    output: v.array(v.strictObject({ ...resource, colors: v.record(v.string(), v.string()) })),
    run: ({ project = null }, { resources }, { requester }) => resources.themes(project, requester),
  }),

  read_resource: command({
    summary: "Reads the text of a listed skill, prompt or theme.",
    access: "read",
    input: v.strictObject({ path }),
    example: { path: PROMPT },
    output: v.strictObject({ path: v.string(), content: v.string() }),
    run: (input, { resources }, { requester }) => resources.read(input.path, requester),
  }),
};
