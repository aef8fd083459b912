import { identifier, oneLineName, optional, time } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { ID } from "./example-values.ts";

const command = commandUsing<"tokens">();

const scope = v.picklist(["full", "read"]);

const record = v.strictObject({
  id: v.string(),
  name: v.string(),
  scope,
  hint: v.string(),
  created_at: v.string(),
  last_used_at: v.nullable(v.string()),
  expires_at: v.nullable(v.string()),
});

export const tokenCommands = {
  list_tokens: command({
    summary: "Lists the API tokens, newest first, without their secrets.",
    // A token that may read all sessions may know of other tokens: their records do not help to use them.
    access: "read",
    input: v.strictObject({}),
    output: v.array(record),
    run: (_input, { tokens }) => tokens.list(),
  }),

  create_token: command({
    summary: "Creates an API token; its secret is returned only once.",
    // Otherwise a caller without control access could create a token that has it.
    access: "control",
    controls: "API tokens",
    input: v.strictObject({ name: oneLineName, scope: v.nullish(scope, "full"), expires_at: optional(time) }),
    example: { name: "phone", scope: "read" },
    output: v.strictObject({ ...record.entries, token: v.string() }),
    run: (input, { tokens }) =>
      tokens.create({ name: input.name, scope: input.scope, expires_at: input.expires_at ?? null }),
  }),

  revoke_token: command({
    summary: "Revokes an API token and closes the connections that use it.",
    access: "write",
    input: v.strictObject({ id: identifier }),
    example: { id: ID },
    output: v.strictObject({ id: v.string(), revoked: v.literal(true) }),
    run: (input, { tokens }) => tokens.revoke(input.id),
  }),
};
