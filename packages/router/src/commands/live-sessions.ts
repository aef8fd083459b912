import { afterSeq, identifier, optional, path, sessionName, text } from "@sm/core/input";
import { MEBIBYTE } from "../answer-budget.ts";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { agentRecord, liveSession } from "../schema/live-session.ts";
import { oneOfFields } from "../schema/one-of-fields.ts";
import type { Services } from "../services.ts";
import { ID, PROJECT, SESSION_ID } from "./example-values.ts";

const command = commandUsing<"liveSessions">();

const MAX_TEXT_LENGTH = 1_048_576;

const model = v.pipe(text(256), v.description("`provider/model`, or the ID of a model."));
const thinkingLevel = v.pipe(
  text(32),
  v.description("One of the levels listed by get_coding_session_thinking_levels."),
);

const image = v.strictObject({
  data: v.pipe(
    text(10_485_760),
    // Without groups: they would backtrack, and the text is long.
    v.check((data) => data.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(data), "Must be base64."),
    v.description("Base64."),
  ),
  mime_type: v.pipe(text(100), v.regex(/^image\/[\w.+-]+$/, 'Must be the type of an image, such as "image/png".')),
});

const session = v.strictObject({ session_id: identifier });

const own = {
  access: "control" as const,
  controls: "live agents",
  prerequisite: ({ liveSessions }: Pick<Services, "liveSessions">) => liveSessions.checkAvailable(),
};

/** Commands for running agents. */
export const liveSessionCommands = {
  get_coding_live_sessions: command({
    ...own,
    summary: "Lists the running agents: started by the service, registered with it, or found on this machine.",
    input: v.strictObject({}),
    output: v.array(liveSession),
    run: (_input, { liveSessions }) => liveSessions.list(),
  }),

  start_coding_session: command({
    ...own,
    summary: "Starts an agent in a directory, or resumes a stored session.",
    input: oneOfFields({ cwd: path, session_path: path }, { model: optional(model), name: optional(sessionName) }),
    example: { cwd: PROJECT },
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.start(input),
    topics: ({ session_id }) => [`live:${session_id}`],
  }),

  stop_coding_session: command({
    ...own,
    summary: "Shuts down a live session's agent.",
    input: session,
    example: { session_id: SESSION_ID },
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.stop(input.session_id),
  }),

  get_coding_agent_entries: command({
    ...own,
    summary: "Reads the recorded output of a live session's agent.",
    input: v.strictObject({ session_id: identifier, after_seq: optional(afterSeq) }),
    example: { session_id: SESSION_ID, after_seq: 120 },
    output: v.strictObject({
      entries: v.array(v.strictObject({ seq: v.number(), timestamp: v.string(), event: agentRecord })),
      next_seq: v.number(),
      has_gap: v.boolean(),
    }),
    answerBytes: 8 * MEBIBYTE,
    run: (input, { liveSessions }) => liveSessions.entries(input.session_id, input.after_seq ?? null),
  }),

  send_coding_agent_rpc: command({
    ...own,
    summary: "Sends a prompt to a live session's agent; a working agent receives it as steering or as a follow-up.",
    input: v.strictObject({
      session_id: identifier,
      prompt: text(MAX_TEXT_LENGTH),
      mode: v.nullish(v.picklist(["prompt", "steer", "follow_up"]), "prompt"),
      images: optional(v.pipe(v.array(image), v.maxLength(10, "At most 10 images."))),
    }),
    example: { session_id: SESSION_ID, prompt: "Run the tests and fix what fails." },
    output: v.strictObject({ accepted: v.literal(true), disposition: v.picklist(["started", "queued", "handled"]) }),
    run: (input, { liveSessions }) => liveSessions.prompt(input),
  }),

  abort_coding_session: command({
    ...own,
    summary: "Interrupts a live session's agent and removes its queued prompts.",
    input: session,
    example: { session_id: SESSION_ID },
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.abort(input.session_id),
  }),

  clear_coding_session_queue: command({
    ...own,
    summary: "Removes the queued prompts of a live session's agent and returns them.",
    input: session,
    example: { session_id: SESSION_ID },
    output: v.strictObject({ steering: v.array(v.string()), follow_up: v.array(v.string()) }),
    run: (input, { liveSessions }) => liveSessions.clearQueue(input.session_id),
  }),

  set_coding_session_model: command({
    ...own,
    summary: "Changes the model or the thinking level of a live session.",
    input: v.pipe(
      v.strictObject({ session_id: identifier, model: optional(model), thinking_level: optional(thinkingLevel) }),
      v.forward(
        v.check(
          ({ model, thinking_level }) => model !== undefined || thinking_level !== undefined,
          'Give a "model", a "thinking_level" or both.',
        ),
        ["model"],
      ),
    ),
    example: { session_id: SESSION_ID, thinking_level: "high" },
    output: liveSession,
    run: ({ session_id, model = null, thinking_level = null }, { liveSessions }) =>
      liveSessions.setModel(session_id, { model, thinking_level }),
  }),

  name_coding_session: command({
    ...own,
    summary: "Renames a live session through its agent.",
    input: v.strictObject({ session_id: identifier, name: sessionName }),
    example: { session_id: SESSION_ID, name: "A better name" },
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.setName(input.session_id, input.name),
  }),

  get_coding_session_models: command({
    ...own,
    summary: "Lists the models that a live session's agent can use.",
    input: session,
    example: { session_id: SESSION_ID },
    output: v.array(v.strictObject({ model: v.string(), name: v.nullable(v.string()), reasoning: v.boolean() })),
    run: (input, { liveSessions }) => liveSessions.models(input.session_id),
  }),

  get_coding_session_thinking_levels: command({
    ...own,
    summary: "Lists the thinking levels of a live session's current model.",
    input: session,
    example: { session_id: SESSION_ID },
    output: v.array(v.string()),
    run: (input, { liveSessions }) => liveSessions.thinkingLevels(input.session_id),
  }),

  get_coding_session_commands: command({
    ...own,
    summary: "Lists the commands of a live session's agent, which prompts begin with: `/name`.",
    input: session,
    example: { session_id: SESSION_ID },
    output: v.array(
      v.strictObject({
        name: v.string(),
        description: v.nullable(v.string()),
        source: v.pipe(
          v.nullable(v.string()),
          v.description("Where it comes from, in the agent's words: `extension`, `prompt`, `skill`."),
        ),
      }),
    ),
    run: (input, { liveSessions }) => liveSessions.commands(input.session_id),
  }),

  find_coding_session_files: command({
    ...own,
    summary: "Finds files by their paths in the folder of a live session's agent, to name them in a prompt.",
    input: v.strictObject({
      session_id: identifier,
      text: v.pipe(
        v.string(),
        v.maxLength(200, "At most 200 characters."),
        v.description("Part of the path, whatever its case."),
      ),
    }),
    example: { session_id: SESSION_ID, text: "readme" },
    output: v.strictObject({
      files: v.pipe(
        v.array(v.string()),
        v.description(
          "At most 50 paths relative to the folder, the best first. Links, repositories' own files and installed packages are left out.",
        ),
      ),
      is_complete: v.pipe(v.boolean(), v.description("Whether all of the folder was looked at.")),
    }),
    run: ({ session_id, text }, { liveSessions }) => liveSessions.findFiles(session_id, text),
  }),

  answer_coding_agent_request: command({
    ...own,
    summary: "Answers a question of a live session's agent.",
    input: v.pipe(
      v.strictObject({
        session_id: identifier,
        request_id: identifier,
        value: optional(v.pipe(v.string(), v.maxLength(MAX_TEXT_LENGTH, `At most ${MAX_TEXT_LENGTH} characters.`))),
        confirmed: optional(v.boolean()),
        cancelled: optional(v.boolean()),
      }),
      v.forward(
        v.check(
          ({ value, confirmed, cancelled }) =>
            [value, confirmed, cancelled || undefined].filter((answer) => answer !== undefined).length === 1,
          'Give one of "value", "confirmed" and "cancelled".',
        ),
        ["value"],
      ),
    ),
    example: { session_id: SESSION_ID, request_id: ID, confirmed: true },
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.answer(input),
  }),
};
