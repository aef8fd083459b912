import { identifier, optional, path, sharedPageFields, time } from "@sm/core/input";
import { OPEN_SESSION_BYTES } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { SESSION, SHARE_ID } from "./example-values.ts";

const command = commandUsing<"shares">();

const record = v.strictObject({
  id: v.string(),
  session_path: v.string(),
  title: v.string(),
  created_at: v.string(),
  expires_at: v.string(),
  size_bytes: v.number(),
  opened_count: v.pipe(v.number(), v.description("Without requests for the headers alone.")),
  last_opened_at: v.nullable(v.string()),
});

export const shareCommands = {
  share_session: command({
    summary: "Makes a redacted page of a session, readable by anyone with its link until that expires.",
    // Gives people without a token a right to read.
    access: "control",
    controls: "public links",
    input: v.strictObject({
      ...sharedPageFields,
      expires_at: optional(
        v.pipe(time, v.description("Default: in 7 days. At most in 90 days. RFC 3339 date-time or date.")),
      ),
    }),
    example: { path: SESSION, include_thinking: false, expires_at: "2027-01-31" },
    output: v.strictObject({
      ...record.entries,
      url: v.pipe(v.string(), v.description("The link, returned only once: the service keeps its hash.")),
    }),
    answerBytes: OPEN_SESSION_BYTES,
    prerequisite: ({ shares }) => shares.checkAvailable(),
    run: (input, { shares }, { requester }) => shares.create(input, requester),
  }),

  list_shares: command({
    summary: "Lists the shared pages, newest first, without their links.",
    // Whoever may read all sessions learns nothing more from this.
    access: "read",
    input: v.strictObject({ path: optional(v.pipe(path, v.description("Only those of this session."))) }),
    output: v.strictObject({
      problem: v.pipe(
        v.nullable(v.picklist(["off", "loopback"])),
        v.description(
          "Why no links can be made: sharing is switched off, or other machines cannot reach the service; `null` if " +
            "they can.",
        ),
      ),
      shares: v.array(record),
    }),
    run: async (input, { shares }) => ({ problem: shares.problem(), shares: await shares.list(input.path) }),
  }),

  revoke_share: command({
    summary: "Ends a link and removes its page.",
    access: "write",
    input: v.strictObject({ id: identifier }),
    example: { id: SHARE_ID },
    output: v.strictObject({ id: v.string(), revoked: v.literal(true) }),
    run: (input, { shares }) => shares.revoke(input.id),
  }),
};
