import { describe, expect, it } from "vitest";
import { command } from "../command.ts";
import { createDispatcher, createRegistry, registry } from "../index.ts";
import * as v from "../schema/json.ts";
import type { Services } from "../services.ts";
import { descriptionCommands } from "./description.ts";
import { run } from "./recorded-services.fixture.ts";

interface Listed {
  name: string;
  summary: string;
  access: string;
  input: { properties: object; examples?: unknown[] };
  output: object;
}

async function list(): Promise<Listed[]> {
  const { calls, response } = await run("list_commands", {});
  expect(calls).toEqual([]);
  expect(v.is(descriptionCommands.list_commands.output, response.data)).toBe(true);
  return response.data as Listed[];
}

describe("list_commands", () => {
  it("lists every command of the registry, itself too", async () => {
    const listed = await list();
    expect(listed.map(({ name, summary, access }) => ({ name, summary, access }))).toEqual(
      [...registry].map(([name, { summary, access }]) => ({ name, summary, access })),
    );
    expect(listed.map(({ name }) => name)).toContain("list_commands");
  });

  it("describes payloads and results in JSON Schema that stands for itself", async () => {
    const listed = await list();
    expect(listed.find(({ name }) => name === "toggle_favorite")).toEqual({
      name: "toggle_favorite",
      summary: registry.get("toggle_favorite")?.summary,
      access: "write",
      input: {
        type: "object",
        properties: { path: { type: "string", minLength: 1, maxLength: 4096, description: "Absolute path." } },
        required: ["path"],
        additionalProperties: false,
        examples: [{ path: expect.any(String) }],
      },
      output: {
        type: "object",
        properties: { path: { type: "string" }, is_favorite: { type: "boolean" } },
        required: ["path", "is_favorite"],
      },
    });
    expect(JSON.stringify(listed)).not.toContain("$ref");
  });

  it("lists what the dispatcher answers, whatever registry that has", async () => {
    const greet = command({
      summary: "Greets.",
      access: "read",
      input: v.strictObject({ name: v.string() }),
      output: v.string(),
      run: async ({ name }) => `Hello ${name}.`,
    });
    const own = createRegistry([descriptionCommands, { greet }]);
    const log = { error: () => undefined };
    const dispatcher = createDispatcher({} as Services, { log, registry: own });
    const caller = { local: true, scope: "read", tokenId: null } as const;
    const { data } = await dispatcher.dispatch({ command: "list_commands" }, caller);
    expect((data as Listed[]).map(({ name }) => name)).toEqual(["list_commands", "greet"]);
  });
});
