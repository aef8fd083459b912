import type { Command, Registry } from "../command.ts";
import { connectionCommands } from "../connection-commands.ts";
import type { GenericSchema } from "../schema/json.ts";
import { inputSchema, outputSchema, type Schema } from "./json-schema.ts";

/** A command as the reference shows it. */
export interface CommandReference {
  name: string;
  /** In CamelCase, for the names of schemas. */
  typeName: string;
  summary: string;
  /** `null` for connection commands, available to everyone. */
  access: Command["access"] | null;
  payload: Schema;
  result: Schema;
  /** A payload that the command takes, if one is known. */
  example: unknown;
}

interface Definition {
  summary: string;
  access?: Command["access"];
  input: GenericSchema;
  output: GenericSchema;
  example?: unknown;
}

/** Describes every command of a registry, in its order. */
export function describeCommands(registry: Registry<never>): CommandReference[] {
  return [...registry].map(([name, command]) => describe(name, command));
}

/** Describes the commands that only a WebSocket answers. */
export function describeConnectionCommands(): CommandReference[] {
  return Object.entries(connectionCommands).map(([name, command]) => describe(name, command));
}

function describe(name: string, { summary, access, input, output, example }: Definition): CommandReference {
  const payload = inputSchema(input);
  return {
    name,
    typeName: name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
    summary,
    access: access ?? null,
    payload,
    result: outputSchema(output),
    example: example ?? (isOptional(payload) ? {} : undefined),
  };
}

/** Whether the payload may be omitted. */
export function isOptional({ required, oneOf }: Schema): boolean {
  return required === undefined && oneOf === undefined;
}
