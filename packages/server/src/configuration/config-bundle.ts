import { modelConfigProblems } from "@sm/agent";
import { isJsonObject, isTooDeep, type JsonObject, type JsonValue, type PayloadIssue } from "@sm/core";
import { type BackedUpMarks, MAX_TAGS, placeProblem, type StoredTag } from "@sm/core/node";
import { invalidPayload } from "@sm/router";
import * as v from "valibot";
import { configProblems } from "../config.ts";
import { bundleMarks, tagProblems } from "./bundle-marks.ts";

/**
 * The complete configuration. `server` is session-manager.json; the rest, except preferences and tags, belongs to the
 * agent. `null` means that the file does not exist. Never contains API tokens or the agent's files of secrets.
 */
export interface ConfigBundle {
  version: 1;
  server: JsonObject;
  preferences: JsonObject;
  tags: StoredTag[];
  agent_settings: JsonObject | null;
  model_config: JsonObject | null;
  /** Unknown fields. They belong to the user and are kept. */
  others: JsonObject;
}

const OBJECT = "Must be an object.";
const object = v.custom<JsonObject>(isJsonObject, OBJECT);
const text = (limit: number) =>
  v.pipe(v.string("Must be a string."), v.nonEmpty("Must not be empty."), v.maxLength(limit));

const tag = v.strictObject({
  id: text(256),
  name: text(100),
  color: v.pipe(v.string("Must be a string."), v.regex(/^#[\da-f]{6}$/, 'Must be a color such as "#3366cc".')),
  parent_id: v.nullable(text(256)),
  // As returned by `list_tags`.
  session_count: v.optional(v.number()),
});

const bundleSchema = v.looseObject({
  version: v.literal(1, "Must be 1."),
  server: object,
  preferences: object,
  tags: v.pipe(v.array(tag, "Must be an array."), v.maxLength(MAX_TAGS, `At most ${MAX_TAGS} tags.`)),
  agent_settings: v.nullable(object),
  model_config: v.nullable(object),
  marks: v.optional(v.pipe(object, bundleMarks)),
});

/** Maximum number of reported problems per bundle. */
const MAX_PROBLEMS = 20;

/**
 * Parses and validates a bundle from a payload.
 *
 * Marks of sessions are apart from it: they belong to no version.
 *
 * @param home replaces `~` in paths of the server's configuration.
 * @throws AppError `INVALID_PAYLOAD` that names each invalid field.
 */
export function readBundle(payload: JsonObject, home: string): { bundle: ConfigBundle; marks: BackedUpMarks | null } {
  if (isTooDeep(payload)) throw invalidPayload([{ path: "", message: "Nested too deeply." }]);
  const result = v.safeParse(bundleSchema, payload, { abortPipeEarly: true });
  if (!result.success) {
    throw invalidPayload(
      result.issues.slice(0, MAX_PROBLEMS).map((issue) => ({
        path: v.getDotPath(issue) ?? "",
        message: issue.input === undefined ? "Required." : issue.message,
      })),
    );
  }
  const { version, server, preferences, tags, agent_settings, model_config, marks = null, ...others } = result.output;
  const problems = [
    ...under("server", configProblems(server, home)),
    ...under("model_config", model_config === null ? [] : modelConfigProblems(model_config)),
    ...under("tags", treeProblems(tags)),
    ...under("marks", marks === null ? [] : tagProblems(marks, new Set(tags.map(({ id }) => id)))),
  ];
  if (problems.length > 0) throw invalidPayload(problems.slice(0, MAX_PROBLEMS));
  const stored = tags.map(({ id, name, color, parent_id }) => ({ id, name, color, parent_id }));
  // The payload was parsed from JSON.
  const values = others as JsonObject;
  const bundle = { version, server, preferences, tags: stored, agent_settings, model_config, others: values };
  return { bundle, marks };
}

/** Converts a bundle to the form returned by commands and stored in versions. */
export function writeBundle({ others, tags, ...bundle }: ConfigBundle): JsonObject {
  return { ...bundle, tags: tags.map((stored) => ({ ...stored }) satisfies Record<string, JsonValue>), ...others };
}

function under(field: string, problems: PayloadIssue[]): PayloadIssue[] {
  return problems.map(({ path, message }) => ({ path: path === "" ? field : `${field}.${path}`, message }));
}

function treeProblems(tags: StoredTag[]): PayloadIssue[] {
  const problems: PayloadIssue[] = [];
  const parents = new Map(tags.map(({ id, parent_id }) => [id, parent_id]));
  const ids = new Set<string>();
  const places = new Set<string>();
  for (const [index, { id, name, parent_id }] of tags.entries()) {
    const place = JSON.stringify([parent_id, name]);
    if (ids.has(id)) problems.push({ path: `${index}.id`, message: "Duplicate tag ID." });
    if (places.has(place))
      problems.push({ path: `${index}.name`, message: "Another tag with the same parent has this name." });
    ids.add(id);
    places.add(place);
    const isMissing = parent_id !== null && !parents.has(parent_id);
    const problem = isMissing ? "The bundle contains no tag with this ID." : placeProblem(id, parents);
    if (problem !== null) problems.push({ path: `${index}.parent_id`, message: problem });
  }
  return problems;
}
