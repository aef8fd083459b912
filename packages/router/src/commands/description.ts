import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";

const command = commandUsing<never>();

const jsonSchema = v.pipe(
  v.record(v.string(), v.unknown()),
  v.description("Self-contained JSON Schema, draft 2020-12."),
);

export const descriptionCommands = {
  list_commands: command({
    summary: "Lists the commands of the service with the schemas of their payloads and results.",
    access: "read",
    input: v.strictObject({}),
    output: v.array(
      v.strictObject({
        name: v.string(),
        summary: v.string(),
        access: v.picklist(["read", "write", "control"]),
        input: jsonSchema,
        output: jsonSchema,
      }),
    ),
    async run(_input, _services, { registry }) {
      // Loaded on demand: no other command needs JSON Schemas.
      const { listCommands } = await import("../description/command-list.ts");
      return listCommands(registry);
    },
  }),
};
