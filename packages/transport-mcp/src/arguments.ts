import { isJsonObject, nearest } from "@sm/core";
import { ToolError } from "./tool-error.ts";

/** The subset of JSON Schema that describes one argument. */
export interface ArgumentSchema {
  readonly type: "string" | "integer";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The arguments of a tool, as its clients see them. */
export interface ArgumentsSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
}

type ValueOf<Schema extends ArgumentSchema> = Schema extends { type: "integer" } ? number : string;

/** The type of valid arguments. */
export type ArgumentsOf<Schema extends ArgumentsSchema> = {
  [Name in keyof Schema["properties"]]:
    | ValueOf<Schema["properties"][Name]>
    | (Name extends NonNullable<Schema["required"]>[number] ? never : undefined);
};

const MAX_LENGTH = 4_096;

/**
 * Checks arguments by the schema that clients see. What is `null` or empty counts as left out, because models fill in
 * every field they know of.
 *
 * @throws {ToolError} that says what would be right.
 */
export function readArguments<Schema extends ArgumentsSchema>(schema: Schema, given: unknown): ArgumentsOf<Schema> {
  if (given !== undefined && !isJsonObject(given)) throw invalid("The arguments must be an object.");
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === null || value === "" || value === undefined) continue;
    if (!Object.hasOwn(schema.properties, name)) {
      const known = Object.keys(schema.properties);
      throw invalid(`There is no argument "${name.slice(0, 64)}". Did you mean "${nearest(name, known)}"?`);
    }
    const argument = schema.properties[name];
    if (argument !== undefined) values[name] = readValue(name, argument, value);
  }
  for (const name of schema.required ?? []) {
    if (values[name] === undefined) throw invalid(`"${name}" is required.`);
  }
  // Checked field by field.
  return values as ArgumentsOf<Schema>;
}

function readValue(name: string, schema: ArgumentSchema, value: unknown): string | number {
  if (schema.type === "integer") {
    const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
    const { minimum = 1, maximum = Number.MAX_SAFE_INTEGER } = schema;
    if (Number.isInteger(number) && Number(number) >= minimum && Number(number) <= maximum) return Number(number);
    throw invalid(`"${name}" must be a whole number from ${minimum} to ${maximum}.`);
  }
  const { maxLength = MAX_LENGTH } = schema;
  if (typeof value !== "string") throw invalid(`"${name}" must be a string.`);
  if (value.length > maxLength) throw invalid(`"${name}" must have at most ${maxLength} characters.`);
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    throw invalid(`"${name}" must be one of ${schema.enum.join(", ")}.`);
  }
  return value;
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_arguments", message);
}
