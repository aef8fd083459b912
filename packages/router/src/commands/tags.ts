import { createTagInput, identifier, path, updateTagInput } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { oneOfFields } from "../schema/one-of-fields.ts";
import { resultByField } from "../schema/result-by-field.ts";
import { ID, SESSION } from "./example-values.ts";

const command = commandUsing<"tags">();

const tag = v.strictObject({
  id: v.string(),
  name: v.string(),
  color: v.string(),
  parent_id: v.nullable(v.string()),
  session_count: v.number(),
});

/** One session or several. */
const assignment = oneOfFields(
  {
    session_path: path,
    session_paths: v.pipe(v.array(path), v.nonEmpty("Must not be empty."), v.maxLength(1_000, "At most 1000 paths.")),
  },
  { tag_id: identifier },
);

const tagged = v.strictObject({ session_path: v.string(), tag_ids: v.array(v.string()) });
const manyTagged = v.strictObject({ sessions: v.array(tagged) });

export const tagCommands = {
  list_tags: command({
    summary: "Lists all tags, sorted by name.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(tag),
    run: (_input, { tags }) => tags.list(),
  }),

  create_tag: command({
    summary: "Creates a tag, at the top level or below another tag.",
    access: "write",
    input: createTagInput,
    example: { name: "urgent", color: "#cc3333" },
    output: tag,
    run: (input, { tags }) => tags.create(input),
  }),

  update_tag: command({
    summary: "Changes the name, color or parent of a tag.",
    access: "write",
    input: updateTagInput,
    example: { id: ID, name: "less urgent" },
    output: tag,
    run: ({ id, ...changes }, { tags }) => tags.update(id, changes),
  }),

  delete_tag: command({
    summary: "Deletes a tag; the tags below it move up one level.",
    access: "write",
    input: v.strictObject({ id: identifier }),
    example: { id: ID },
    output: v.strictObject({ id: v.string(), deleted: v.literal(true) }),
    run: (input, { tags }) => tags.delete(input.id),
  }),

  assign_tag: command({
    summary: "Attaches a tag to one or more sessions, atomically.",
    access: "write",
    input: assignment,
    example: { session_path: SESSION, tag_id: ID },
    output: resultByField({ session_path: tagged, session_paths: manyTagged }),
    run: async ({ tag_id, ...of }, { tags }) => answered(of, await tags.assign(pathsOf(of), tag_id)),
  }),

  remove_tag: command({
    summary: "Removes a tag from one or more sessions, atomically.",
    access: "write",
    input: assignment,
    example: { session_paths: [SESSION], tag_id: ID },
    output: resultByField({ session_path: tagged, session_paths: manyTagged }),
    run: async ({ tag_id, ...of }, { tags }) => answered(of, await tags.remove(pathsOf(of), tag_id)),
  }),
};

type SessionsMeant = { session_path?: string | undefined; session_paths?: string[] | undefined };

function pathsOf({ session_path, session_paths }: SessionsMeant): string[] {
  return session_paths ?? (session_path === undefined ? [] : [session_path]);
}

type Tagged = v.InferOutput<typeof tagged>;

/** The result has the form of the payload: one session, or several. */
function answered({ session_paths }: SessionsMeant, sessions: Tagged[]): Tagged | { sessions: Tagged[] } {
  const [only] = sessions;
  return session_paths === undefined && only !== undefined ? only : { sessions };
}
