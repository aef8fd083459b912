import type { Command, Registry } from "../command.ts";
import { inputSchema, plainSchema } from "./json-schema.ts";

export interface ListedCommand {
  name: string;
  summary: string;
  access: Command["access"];
  input: Record<string, unknown>;
  output: Record<string, unknown>;
}

/** Cached: a registry does not change, and creating its schemas takes a while. */
const lists = new WeakMap<Registry, ListedCommand[]>();

/** Lists commands with self-contained schemas. */
export function listCommands(registry: Registry<never>): ListedCommand[] {
  const known = lists.get(registry);
  if (known !== undefined) return known;
  const list = [...registry].map(([name, { summary, access, input, output, example }]) => ({
    name,
    summary,
    access,
    input: { ...inputSchema(input), ...(example === undefined ? {} : { examples: [example] }) },
    output: { ...plainSchema(output) },
  }));
  lists.set(registry, list);
  return list;
}
