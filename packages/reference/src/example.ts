import type { Schema } from "./schema.ts";

/** Values that a reader recognises, by the name of the field. */
const VALUES: Record<string, unknown> = {
  path: "/home/me/.pi/agent/sessions/--home-me-project--/2026-01-31T10-00-00-000Z_1a2b3c.jsonl",
  name: "A better name",
  query: '"event stream" watchdog',
  id: "1a2b3c4d",
  session_id: "0198c1f2-7a3b-7c4d-8e5f-6a7b8c9d0e1f",
  cwd: "/home/me/project",
  started_at: "2026-01-31T10:00:00.000Z",
  color: "#3366cc",
};

/** Makes a payload with the fields that must be there. */
export function examplePayload(payload: Schema): unknown {
  return example(payload, "");
}

function example(schema: Schema, name: string): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.properties !== undefined) {
    const required = schema.required ?? [];
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([field]) => required.includes(field))
        .map(([field, part]) => [field, example(part, field)]),
    );
  }
  if (name in VALUES) return VALUES[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return example(schema.anyOf[0], name);
  const [type] = [schema.type].flat();
  if (type === "array") return schema.items ? [example(schema.items, name.replace(/s$/, ""))] : [];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  return type === "string" ? name : {};
}
