import type { Schema } from "@sm/router/description";

/** Writes a schema as a type of TypeScript, one field a line. */
export function typeText(schema: Schema, indent = ""): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) return union(schema.anyOf.map((part) => typeText(part, indent)));
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeText({ ...schema, type }, indent)));
  }
  if (schema.type === "array") return arrayText(schema, indent);
  if (schema.type === "object") return objectText(schema, indent);
  if (schema.type === "integer") return "number";
  return schema.type ?? "unknown";
}

function arrayText({ prefixItems, items }: Schema, indent: string): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((part) => typeText(part, indent)).join(", ")}]`;
  const item = typeText(items || {}, indent);
  return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function objectText({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const fields = Object.entries(properties);
  if (typeof additionalProperties === "object") return `Record<string, ${typeText(additionalProperties, indent)}>`;
  if (fields.length === 0) return "{}";
  const inner = `${indent}  `;
  const lines = fields.map(([name, part]) => {
    return `${inner}${name}${required.includes(name) ? "" : "?"}: ${typeText(part, inner)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

function union(texts: string[]): string {
  return texts.join(" | ");
}
