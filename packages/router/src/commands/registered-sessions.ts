import { identifier, optional, path, sessionName, text, time, wholeNumber } from "@sm/core/input";
import { commandUsing } from "../command.ts";
import * as v from "../schema/json.ts";
import { agentRecord, liveSession, liveState } from "../schema/live-session.ts";
import type { Services } from "../services.ts";
import { PROJECT, SESSION, SESSION_ID } from "./example-values.ts";

const command = commandUsing<"liveSessions">();

const own = {
  access: "control" as const,
  controls: "live agents",
  // The agent is already running, so its program need not be installed here.
  prerequisite: ({ liveSessions }: Pick<Services, "liveSessions">) => liveSessions.checkEnabled(),
};

const MAX_REPORTED = 1_000;
const MAX_LEVELS = 100;

/** Properties that a session reports and may change. */
const facts = {
  session_path: v.nullable(path),
  cwd: path,
  pid: wholeNumber(1, 4_294_967_295),
  state: liveState,
  model: v.nullable(text(256)),
  thinking_level: v.nullable(text(32)),
  started_at: time,
  name: v.nullable(sessionName),
};

const models = v.pipe(
  v.array(
    v.strictObject({
      model: text(256),
      name: v.nullable(text(256)),
      reasoning: v.boolean(),
      thinking_levels: optional(v.pipe(v.array(text(32)), v.maxLength(MAX_LEVELS, `At most ${MAX_LEVELS} levels.`))),
    }),
  ),
  v.maxLength(MAX_REPORTED, `At most ${MAX_REPORTED} models.`),
  v.description("A model as set_coding_session_model accepts it."),
);

const mode = v.picklist(["prompt", "steer", "follow_up"]);

const request = v.union([
  v.strictObject({
    id: v.string(),
    type: v.literal("prompt"),
    prompt: v.string(),
    mode,
    images: v.array(v.strictObject({ data: v.string(), mime_type: v.string() })),
  }),
  v.strictObject({ id: v.string(), type: v.literal("abort") }),
  v.strictObject({
    id: v.string(),
    type: v.literal("set_model"),
    model: v.nullable(v.string()),
    thinking_level: v.nullable(v.string()),
  }),
  v.strictObject({ id: v.string(), type: v.literal("set_name"), name: v.string() }),
  v.strictObject({ id: v.string(), type: v.literal("stop") }),
]);

/** For the extension that registers agents in the user's own terminal as live sessions. */
export const registeredSessionCommands = {
  register_coding_session: command({
    ...own,
    summary: "Registers a session that runs in the user's own terminal (for the agent's extension).",
    input: v.strictObject({ session_id: identifier, ...facts, models }),
    example: {
      session_id: SESSION_ID,
      session_path: SESSION,
      cwd: PROJECT,
      pid: 12_345,
      state: "idle",
      model: "ollama/qwen2.5-coder:7b",
      thinking_level: "off",
      started_at: "2026-01-31T10:00:00.000Z",
      name: null,
      models: [{ model: "ollama/qwen2.5-coder:7b", name: null, reasoning: false, thinking_levels: ["off"] }],
    },
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.register(input),
  }),

  report_coding_session: command({
    ...own,
    summary: "Reports events of a registered session (for the agent's extension).",
    input: v.strictObject({
      session_id: identifier,
      events: v.pipe(v.array(agentRecord), v.maxLength(MAX_REPORTED, `At most ${MAX_REPORTED} events.`)),
      changes: v.strictObject({
        session_path: v.exactOptional(facts.session_path),
        cwd: v.exactOptional(facts.cwd),
        pid: v.exactOptional(facts.pid),
        state: v.exactOptional(facts.state),
        model: v.exactOptional(facts.model),
        thinking_level: v.exactOptional(facts.thinking_level),
        started_at: v.exactOptional(facts.started_at),
        name: v.exactOptional(facts.name),
      }),
      done: v.pipe(
        v.array(v.strictObject({ id: identifier, error: v.nullable(v.string()) })),
        v.maxLength(MAX_REPORTED, `At most ${MAX_REPORTED} requests.`),
      ),
    }),
    example: { session_id: SESSION_ID, events: [{ type: "agent_start" }], changes: { state: "streaming" }, done: [] },
    output: liveSession,
    run: (input, { liveSessions }) => liveSessions.report(input),
  }),

  take_coding_session_requests: command({
    ...own,
    summary: "Long-polls for requests to a registered session (for the agent's extension).",
    input: v.strictObject({
      session_id: identifier,
      received: optional(
        v.pipe(
          v.array(identifier),
          v.maxLength(MAX_REPORTED, `At most ${MAX_REPORTED} requests.`),
          v.description("IDs of the requests in the previous response; acknowledged requests are not repeated."),
        ),
      ),
      wait_seconds: v.nullish(wholeNumber(0, 60), 25),
    }),
    example: { session_id: SESSION_ID, wait_seconds: 0 },
    output: v.array(request),
    run: ({ session_id, received = [], wait_seconds }, { liveSessions }) =>
      liveSessions.takeRequests(session_id, received, wait_seconds * 1_000),
  }),
};
