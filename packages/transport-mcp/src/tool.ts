import type { Answer } from "./answer.ts";
import { DEFAULT_BUDGET, LEAST_BUDGET, MOST_BUDGET } from "./answer.ts";
import { type ArgumentsOf, type ArgumentsSchema, readArguments } from "./arguments.ts";
import type { McpContext } from "./context.ts";

/** A tool as clients list it, and what it does. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ArgumentsSchema;
  /** @throws {ToolError} for what the model can correct. */
  run(given: unknown, context: McpContext): Promise<Answer>;
}

/** Defines a tool; the types of its arguments follow from their schema. */
export function tool<const Schema extends ArgumentsSchema>(definition: {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  run(args: ArgumentsOf<Schema>, context: McpContext): Promise<Answer>;
}): Tool {
  return {
    ...definition,
    run: (given, context) => definition.run(readArguments(definition.inputSchema, given), context),
  };
}

/** Budget of an answer, in characters. */
export const maxChars = { type: "integer", minimum: LEAST_BUDGET, maximum: MOST_BUDGET } as const;

export function budgetOf({ max_chars }: { max_chars: number | undefined }): number {
  return max_chars ?? DEFAULT_BUDGET;
}
