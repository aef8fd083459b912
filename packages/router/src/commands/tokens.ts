import { identifier, optional, text, time } from "@sm/core/input";
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

/** Shown in one line of a terminal, which other control characters would steer. */
const name = v.pipe(
  v.string(),
  v.trim(),
  text(100),
  v.regex(/^[^\p{Cc}\u2028\u2029]*$/u, "Must be one line without control characters."),
);

export const tokenCommands = {
  list_tokens: command({
    summary: "Lists the API tokens, the newest first, without the tokens themselves.",
    // A token that may read every session may know that others exist: nothing in a record helps to use one.
    access: "read",
    input: v.strictObject({}),
    output: v.array(record),
    run: (_input, { tokens }) => tokens.list(),
  }),

  create_token: command({
    summary: "Makes an API token, which is shown this once and never again.",
    // Who may do nothing of this access without a token could make one.
    access: "control",
    controls: "API tokens",
    input: v.strictObject({ name, scope: v.nullish(scope, "full"), expires_at: optional(time) }),
    example: { name: "phone", scope: "read" },
    output: v.strictObject({ ...record.entries, token: v.string() }),
    run: (input, { tokens }) =>
      tokens.create({ name: input.name, scope: input.scope, expires_at: input.expires_at ?? null }),
  }),

  revoke_token: command({
    summary: "Revokes an API token at once, and closes the connections that use it.",
    access: "write",
    input: v.strictObject({ id: identifier }),
    example: { id: ID },
    output: v.strictObject({ id: v.string(), revoked: v.literal(true) }),
    run: (input, { tokens }) => tokens.revoke(input.id),
  }),
};
