import { identifier, oneLineName, text } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { ID } from "./example-values.ts";

const command = commandUsing<"push">();

const device = v.strictObject({ id: v.string(), name: v.string(), created_at: v.string() });

const base64url = (limit: number) => v.pipe(text(limit), v.regex(/^[\w-]+={0,2}$/, "Must be base64url."));

export const pushCommands = {
  list_push_devices: command({
    summary: "Lists the browsers that are told when agents ask, fail or end, with the key for subscribing another one.",
    access: "read",
    input: v.strictObject({}),
    output: v.strictObject({
      public_key: v.pipe(v.string(), v.description("The `applicationServerKey` of the Push API, in base64url.")),
      devices: v.array(device),
    }),
    run: (_input, { push }) => push.status(),
  }),

  add_push_device: command({
    summary: "Has a browser told when agents ask, fail or end, until it or the caller's token is removed.",
    // The device learns the names of sessions and the questions of agents from then on.
    access: "control",
    controls: "notifications to other devices",
    input: v.strictObject({
      name: v.pipe(oneLineName, v.description("For the list of devices.")),
      endpoint: v.pipe(text(2_048), v.description("Of the PushSubscription: an HTTPS URL.")),
      p256dh: v.pipe(base64url(120), v.description("Of its keys.")),
      auth: v.pipe(base64url(40), v.description("Of its keys.")),
    }),
    example: {
      name: "Firefox on Android",
      endpoint: "https://updates.push.services.invalid/wpush/v2/1a2b",
      p256dh: "BB4YUy_UdUwC8wQdnHXOszuD_9gax85P6ILMscmLxYlupGwxHE4v9A3ZajZT5uRURdMt_khuztdcepDGoYiBwKM",
      auth: "BwcHBwcHBwcHBwcHBwcHBw",
    },
    output: device,
    run: (input, { push }, { tokenId }) => push.add(input, tokenId),
  }),

  remove_push_device: command({
    summary: "Ends the notifications to a browser.",
    access: "write",
    input: v.strictObject({ id: identifier }),
    example: { id: ID },
    output: v.strictObject({ id: v.string(), removed: v.literal(true) }),
    run: (input, { push }) => push.remove(input.id),
  }),
};
