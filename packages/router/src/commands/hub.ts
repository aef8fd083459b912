import { path, sessionFormat } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";

const command = commandUsing<"sending" | "configuration">();

const projects = v.pipe(v.array(path), v.maxLength(100, "At most 100 paths."));

const status = v.strictObject({
  url: v.pipe(v.nullable(v.string()), v.description("Of the hub; null if nothing is sent.")),
  projects: v.pipe(v.nullable(v.array(v.string())), v.description("Whose sessions are sent; null: all.")),
  formats: v.pipe(v.nullable(v.array(sessionFormat)), v.description("That are sent; null: all.")),
  redact: v.pipe(v.boolean(), v.description("Whether secrets are replaced before.")),
  state: v.pipe(
    v.picklist(["off", "stopped", "sending", "waiting", "sent"]),
    v.description(
      "`stopped`: the service does not run; `waiting`: it tries again later; `sent`: the hub has everything.",
    ),
  ),
  machine_id: v.pipe(v.nullable(v.string()), v.description("Names this machine on the hub.")),
  files: v.pipe(v.number(), v.description("That the hub has.")),
  pending: v.pipe(v.number(), v.description("Sessions and changes that it does not have yet.")),
  sent_bytes: v.pipe(v.number(), v.description("Since the start of the service, compressed.")),
  last_sent_at: v.nullable(v.string()),
  problems: v.array(v.string()),
});

export const hubCommands = {
  get_hub_status: command({
    summary: "Tells where this machine sends its sessions, what the hub has, and what keeps it from that.",
    access: "read",
    input: v.strictObject({}),
    output: status,
    run: (_input, { sending }) => sending.status(),
  }),

  save_hub: command({
    summary: "Chooses the hub that this machine sends its sessions to, or none, and which sessions; applied at once.",
    access: "control",
    controls: "what is sent to other machines",
    input: v.strictObject({
      hub: v.pipe(
        v.nullable(
          v.strictObject({
            url: v.string(),
            token_file: v.pipe(path, v.description("Contains an API token of the hub, and nothing else.")),
            projects: v.optional(v.nullable(projects)),
            formats: v.optional(v.nullable(v.array(sessionFormat))),
            redact: v.optional(v.boolean()),
            redact_words: v.optional(v.array(v.string())),
          }),
        ),
        v.description("`null`: nothing is sent any more; what was sent stays on the hub."),
      ),
    }),
    example: { hub: null },
    output: status,
    async run({ hub }, { sending, configuration }) {
      await configuration.saveHub(hub);
      return sending.status();
    },
  }),
};
