import { toJsonSchema } from "@valibot/to-json-schema";
import { errorSchema } from "../schema/error.ts";
import { type GenericSchema, getMetadata } from "../schema/json.ts";
import { liveSession } from "../schema/live-session.ts";
import { ONE_OF } from "../schema/one-of-fields.ts";
import { sessionRecord } from "../schema/session-record.ts";

/** The subset of JSON Schema 2020-12 that command schemas produce. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema | false;
  prefixItems?: Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

/** Schemas shared by many results; defined once. */
const SHARED = { Error: errorSchema, SessionRecord: sessionRecord, LiveSession: liveSession };

/** Actions without an equivalent in JSON Schema. Any other unsupported action is an error, to be decided here. */
const IGNORED_ACTIONS = ["check", "excludes", "trim"];

/** JSON Schema of a payload. */
export function inputSchema(schema: GenericSchema): Schema {
  const converted = simplify(convert(schema, "input"));
  const { [ONE_OF]: choices } = getMetadata(schema) as { [ONE_OF]?: string[] };
  if (choices === undefined) return converted;
  // A field that is `null` counts as omitted.
  const given = choices.map((name) => ({ required: [name], properties: { [name]: { not: { type: "null" } } } }));
  return { ...converted, oneOf: given };
}

/** JSON Schema of a result, without references. Additional fields are allowed, because later versions may add some. */
export function plainSchema(schema: GenericSchema): Schema {
  return open(simplify(convert(schema, "output")));
}

/** JSON Schema of a result. Additional fields are allowed, because later versions may add some. */
export function outputSchema(schema: GenericSchema): Schema {
  return open(simplify(convert(schema, "output", SHARED)));
}

/** The shared schemas referenced by results. */
export function sharedSchemas(): Record<string, Schema> {
  const schemas = Object.entries(SHARED).map(([name, schema]) => {
    return [name, plainSchema(schema)];
  });
  return Object.fromEntries(schemas);
}

/** JSON Schema document of a file's content. Additional fields are allowed. */
export function documentSchema(schema: GenericSchema, definitions: Record<string, GenericSchema>): object {
  const {
    $schema,
    $defs = {},
    ...root
  } = toJsonSchema(schema, { target: "draft-2020-12", typeMode: "output", definitions });
  const parts = Object.entries($defs).map(([name, part]) => [name, simplify(part as Schema)]);
  return { $schema, ...simplify(root as Schema), $defs: Object.fromEntries(parts) };
}

/** JSON reference to a shared schema. */
export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function convert(schema: GenericSchema, typeMode: "input" | "output", definitions: Record<string, GenericSchema> = {}) {
  const { $schema, $defs, ...converted } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    definitions,
    ignoreActions: IGNORED_ACTIONS,
    overrideRef: ({ referenceId }) => reference(referenceId).$ref,
  });
  return converted as Schema;
}

/** Applies `change` to a schema's parts, then to the schema itself. */
function transform(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const result = { ...schema };
  const each = (parts: Schema[]) => parts.map((part) => transform(part, change));
  if (schema.anyOf) result.anyOf = each(schema.anyOf);
  if (schema.prefixItems) result.prefixItems = each(schema.prefixItems);
  if (schema.items) result.items = transform(schema.items, change);
  if (typeof schema.additionalProperties === "object") {
    result.additionalProperties = transform(schema.additionalProperties, change);
  }
  if (schema.properties) {
    const properties = Object.entries(schema.properties);
    result.properties = Object.fromEntries(properties.map(([name, part]) => [name, transform(part, change)]));
  }
  return change(result);
}

/** Writes "this or null" as one schema if possible: `{"type": ["string", "null"]}`. */
function simplify(schema: Schema): Schema {
  return transform(schema, (part) => {
    const { required, ...withoutRequired } = part;
    const trimmed = required?.length === 0 ? withoutRequired : part;
    const { anyOf, ...rest } = trimmed;
    const [value, nothing] = anyOf ?? [];
    if (anyOf?.length !== 2 || nothing?.type !== "null" || typeof value?.type !== "string") return trimmed;
    return { ...value, ...rest, type: [value.type, "null"], ...(value.enum ? { enum: [...value.enum, null] } : {}) };
  });
}

function open(schema: Schema): Schema {
  return transform(schema, ({ additionalProperties, ...part }) => {
    return typeof additionalProperties === "object" ? { ...part, additionalProperties } : part;
  });
}
