import { type Command, type CommandInput, type CommandName, connectionCommands, registry } from "@sm/router";
import type { GenericSchema } from "valibot";
import { examplePayload } from "./example.ts";
import { inputSchema, outputSchema, type Schema } from "./schema.ts";

/** A command as the reference shows it. */
export interface CommandReference {
  name: string;
  /** In CamelCase, for the names of schemas. */
  typeName: string;
  summary: string;
  /** `null`: about the connection only, open to everybody on it. */
  access: Command["access"] | null;
  payload: Schema;
  result: Schema;
  /** A payload that the command takes. */
  example: unknown;
}

/** Payloads for commands whose fields do not say enough. */
const EXAMPLES: { [Name in CommandName]?: CommandInput<Name> } = {
  create_token: { name: "phone", scope: "read" },
  save_session_paths: { paths: ["/home/me/more-sessions"] },
  send_coding_agent_rpc: {
    session_id: "0198c1f2-7a3b-7c4d-8e5f-6a7b8c9d0e1f",
    prompt: "Run the tests and mend what fails.",
  },
  terminal_resize: { id: "1a2b3c4d", cols: 120, rows: 40 },
  terminal_write: { id: "1a2b3c4d", data: "ls\r" },
};

interface Definition {
  summary: string;
  access?: Command["access"];
  input: GenericSchema;
  output: GenericSchema;
}

/** Describes every command of the registry, in its order. */
export function describeCommands(): CommandReference[] {
  return [...registry].map(([name, command]) => describe(name, command));
}

/** Describes the commands that only a WebSocket answers. */
export function describeConnectionCommands(): CommandReference[] {
  return Object.entries(connectionCommands).map(([name, command]) => describe(name, command));
}

function describe(name: string, { summary, access, input, output }: Definition): CommandReference {
  const payload = inputSchema(input);
  return {
    name,
    typeName: name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
    summary,
    access: access ?? null,
    payload,
    result: outputSchema(output),
    example: (EXAMPLES as Record<string, unknown>)[name] ?? examplePayload(payload),
  };
}
