import * as v from "valibot";
import { command } from "../command.ts";
import { afterSeq, identifier, optional, path, sessionName, text } from "../schema/fields.ts";
import { agentRecord, liveSession } from "../schema/live-session.ts";
import type { Services } from "../services.ts";

const MAX_TEXT_LENGTH = 1_048_576;

const model = v.pipe(text(256), v.description("`provider/model`, or the id of a model."));
/** An agent takes any other text for one of them, mostly `off`, and keeps that as the user's default. */
const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"];
const thinkingLevel = v.pipe(
  v.string(),
  v.check((level) => THINKING_LEVELS.includes(level), `Must be one of ${THINKING_LEVELS.join(", ")}.`),
  v.description(`One of ${THINKING_LEVELS.join(", ")}; the agent takes the nearest that the model has.`),
);

const image = v.strictObject({
  data: v.pipe(
    text(10_485_760),
    // Not by a pattern with groups: those are walked back through, and this is long.
    v.check((data) => data.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(data), "Must be base64."),
    v.description("Base64."),
  ),
  mime_type: v.pipe(text(100), v.regex(/^image\/[\w.+-]+$/, 'Must be the type of an image, such as "image/png".')),
});

const session = v.strictObject({ session_id: identifier });

const own = {
  access: "control" as const,
  prerequisite: ({ liveSessions }: Services) => liveSessions.checkAvailable(),
};

/** What clients ask of agents that run. */
export const liveSessionCommands = {
  get_coding_live_sessions: command({
    ...own,
    summary: "Lists the agents that run: those of the service, those that have registered, and others of this machine.",
    input: v.strictObject({}),
    output: v.array(liveSession),
    run: (_input, { liveSessions }) => liveSessions.list(),
  }),

  start_coding_session: command({
    ...own,
    summary: "Starts the agent in a directory, or with a stored session to go on with.",
    input: v.pipe(
      v.strictObject({
        cwd: optional(path),
        session_path: optional(path),
        model: optional(model),
        name: optional(sessionName),
      }),
      v.forward(
        v.check(
          ({ cwd, session_path }) => (cwd === undefined) !== (session_path === undefined),
          'Give either "cwd" or "session_path".',
        ),
        ["cwd"],
      ),
      v.examples([{ cwd: "/home/me/project" }]),
    ),
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.start(input),
    topics: ({ session_id }) => [`live:${session_id}`],
  }),

  stop_coding_session: command({
    ...own,
    summary: "Ends a live session's agent in order.",
    input: session,
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.stop(input.session_id),
  }),

  get_coding_agent_entries: command({
    ...own,
    summary: "Reads what a live session's agent has said, without asking the agent.",
    input: v.strictObject({ session_id: identifier, after_seq: optional(afterSeq) }),
    output: v.strictObject({
      entries: v.array(v.strictObject({ seq: v.number(), timestamp: v.string(), event: agentRecord })),
      next_seq: v.number(),
    }),
    run: (input, { liveSessions }) => liveSessions.entries(input.session_id, input.after_seq ?? null),
  }),

  send_coding_agent_rpc: command({
    ...own,
    summary: "Sends a prompt to a live session's agent; one that works is steered, or takes it up when it is done.",
    input: v.strictObject({
      session_id: identifier,
      prompt: text(MAX_TEXT_LENGTH),
      mode: v.nullish(v.picklist(["prompt", "steer", "follow_up"]), "prompt"),
      images: optional(v.pipe(v.array(image), v.maxLength(10, "At most 10 images."))),
    }),
    output: v.strictObject({ accepted: v.literal(true), disposition: v.picklist(["started", "queued"]) }),
    run: (input, { liveSessions }) => liveSessions.prompt(input),
  }),

  abort_coding_session: command({
    ...own,
    summary: "Breaks off what a live session's agent is doing.",
    input: session,
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.abort(input.session_id),
  }),

  set_coding_session_model: command({
    ...own,
    summary: "Gives a live session another model or another thinking level.",
    input: v.pipe(
      v.strictObject({ session_id: identifier, model: optional(model), thinking_level: optional(thinkingLevel) }),
      v.forward(
        v.check(
          ({ model, thinking_level }) => model !== undefined || thinking_level !== undefined,
          'Give a "model", a "thinking_level" or both.',
        ),
        ["model"],
      ),
      v.examples([{ session_id: "0198c1f2-7a3b-7c4d-8e5f-6a7b8c9d0e1f", thinking_level: "high" }]),
    ),
    output: liveSession,
    run: ({ session_id, model = null, thinking_level = null }, { liveSessions }) =>
      liveSessions.setModel(session_id, { model, thinking_level }),
  }),

  name_coding_session: command({
    ...own,
    summary: "Names a live session through its agent.",
    input: v.strictObject({ session_id: identifier, name: sessionName }),
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.setName(input.session_id, input.name),
  }),

  get_coding_session_models: command({
    ...own,
    summary: "Lists the models that a live session's agent can use.",
    input: session,
    output: v.array(v.strictObject({ model: v.string(), name: v.nullable(v.string()), reasoning: v.boolean() })),
    run: (input, { liveSessions }) => liveSessions.models(input.session_id),
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
      v.examples([{ session_id: "0198c1f2-7a3b-7c4d-8e5f-6a7b8c9d0e1f", request_id: "5e6f7a8b", confirmed: true }]),
    ),
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.answer(input),
  }),
};
