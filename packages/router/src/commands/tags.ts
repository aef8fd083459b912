import * as v from "valibot";
import { command } from "../command.ts";
import { identifier, optional, path } from "../schema/fields.ts";

const tag = v.strictObject({
  id: v.string(),
  name: v.string(),
  color: v.string(),
  parent_id: v.nullable(v.string()),
  session_count: v.number(),
});

const NAME = "Must be a name of 1 to 100 characters.";

const name = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .normalize("NFC")
      .replace(/\s*[\r\n]\s*/g, " ")
      .trim(),
  ),
  v.minLength(1, NAME),
  v.maxLength(100, NAME),
);

const color = v.pipe(
  v.string(),
  v.regex(/^#[\da-fA-F]{6}$/, 'Must be a color such as "#3366cc".'),
  v.transform((text) => text.toLowerCase()),
);

/** The sessions that are meant, one or many. */
const assignment = v.pipe(
  v.strictObject({
    session_path: optional(path),
    session_paths: optional(
      v.pipe(v.array(path), v.nonEmpty("Must not be empty."), v.maxLength(1_000, "At most 1000 paths.")),
    ),
    tag_id: identifier,
  }),
  v.forward(
    v.check(
      ({ session_path, session_paths }) => (session_path === undefined) !== (session_paths === undefined),
      'Give either "session_path" or "session_paths".',
    ),
    ["session_path"],
  ),
  v.examples([{ session_path: "/home/me/.pi/agent/sessions/--home-me-project--/a.jsonl", tag_id: "1a2b3c4d" }]),
);

const tagged = v.strictObject({ session_path: v.string(), tag_ids: v.array(v.string()) });
const manyTagged = v.strictObject({ sessions: v.array(tagged) });

export const tagCommands = {
  list_tags: command({
    summary: "Lists all tags in the order of their names.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(tag),
    run: (_input, { tags }) => tags.list(),
  }),

  create_tag: command({
    summary: "Makes a tag, at the top or below another.",
    access: "write",
    input: v.strictObject({ name, color, parent_id: v.nullish(identifier, null) }),
    output: tag,
    run: (input, { tags }) => tags.create(input),
  }),

  update_tag: command({
    summary: "Changes the name, the color or the place of a tag.",
    access: "write",
    input: v.strictObject({
      id: identifier,
      name: optional(name),
      color: optional(color),
      // `null` is a place: the top.
      parent_id: v.optional(v.nullable(identifier)),
    }),
    output: tag,
    run: ({ id, ...changes }, { tags }) => tags.update(id, changes),
  }),

  delete_tag: command({
    summary: "Deletes a tag; those below it move up.",
    access: "write",
    input: v.strictObject({ id: identifier }),
    output: v.strictObject({ id: v.string(), deleted: v.literal(true) }),
    run: (input, { tags }) => tags.delete(input.id),
  }),

  assign_tag: command({
    summary: "Attaches a tag to a session, or to many: all of them or none.",
    access: "write",
    input: assignment,
    output: v.union([tagged, manyTagged]),
    run: async ({ tag_id, ...of }, { tags }) => answered(of, await tags.assign(pathsOf(of), tag_id)),
  }),

  remove_tag: command({
    summary: "Takes a tag from a session, or from many: all of them or none.",
    access: "write",
    input: assignment,
    output: v.union([tagged, manyTagged]),
    run: async ({ tag_id, ...of }, { tags }) => answered(of, await tags.remove(pathsOf(of), tag_id)),
  }),
};

type SessionsMeant = { session_path?: string | undefined; session_paths?: string[] | undefined };

function pathsOf({ session_path, session_paths }: SessionsMeant): string[] {
  return session_paths ?? (session_path === undefined ? [] : [session_path]);
}

type Tagged = v.InferOutput<typeof tagged>;

/** One session is answered as it was asked for: alone. */
function answered({ session_paths }: SessionsMeant, sessions: Tagged[]): Tagged | { sessions: Tagged[] } {
  const [only] = sessions;
  return session_paths === undefined && only !== undefined ? only : { sessions };
}
