import type { JsonObject } from "./json.ts";

/** `waiting`: the agent waits for the user's answer to a question. */
export type LiveState = "idle" | "streaming" | "waiting" | "exited";

/** Kinds of questions that an agent asks its user. `custom`: a screen of an extension. */
export const QUESTION_KINDS = ["select", "confirm", "input", "editor", "custom"] as const;

/** An open question of an agent to its user. */
export interface LiveQuestion {
  kind: (typeof QUESTION_KINDS)[number];
  /** In one line. */
  title: string | null;
  asked_at: string;
}

/** What an agent last began to do. */
export interface LiveActivity {
  /** Name of the tool that it called; `null` if it received a prompt. */
  tool: string | null;
  /** The prompt, or the main argument of the call, in one line. */
  text: string;
  started_at: string;
}

/** Ways in which a run ends. `lost`: a session in the user's own terminal is silent. */
export const RUN_RESULTS = ["finished", "failed", "aborted", "exited", "lost"] as const;

/** How the last run of an agent, or the agent itself, has ended. */
export interface LiveOutcome {
  result: (typeof RUN_RESULTS)[number];
  /** First line of the error; `null` unless it failed. */
  error: string | null;
  /** Of the agent's process, if it has exited by itself. */
  exit_code: number | null;
  ended_at: string;
}

/** A running agent. */
export interface LiveSession {
  session_id: string;
  /** `null` until the agent has written its file, and if unknown. */
  session_path: string | null;
  cwd: string;
  pid: number;
  state: LiveState;
  /** `provider/model`. */
  model: string | null;
  /** Tokens that the model can look at; `null` if unknown. */
  context_window: number | null;
  thinking_level: string | null;
  started_at: string;
  last_event_at: string;
  /** Number of queued prompts. */
  pending_messages: number;
  name: string | null;
  /** What it waits for; `null` unless its state is `waiting`, and if unknown. */
  question: LiveQuestion | null;
  /** `null` until it has done something, and if unknown. */
  activity: LiveActivity | null;
  /** `null` during its first run and before. */
  outcome: LiveOutcome | null;
  /** Whether it accepts prompts: it was started by the service or has registered. */
  controllable: boolean;
}

/** Either `cwd` or `session_path` is required. */
export interface StartOptions {
  /** Absolute path of an existing directory, for a new session. */
  cwd?: string | undefined;
  /** A stored session to resume. */
  session_path?: string | undefined;
  /** `provider/model`, or the ID of a model. */
  model?: string | undefined;
  name?: string | undefined;
}

export interface LiveImage {
  /** Base64. */
  data: string;
  mime_type: string;
}

export interface LivePrompt {
  session_id: string;
  prompt: string;
  /** `steer` interrupts a running turn; `follow_up`, and a `prompt` during a turn, wait for its end. */
  mode: "prompt" | "steer" | "follow_up";
  images?: LiveImage[] | undefined;
}

export interface AcceptedPrompt {
  accepted: true;
  /** `handled`: an extension processed it, and no run follows; agents before 0.99 report `started` then. */
  disposition: "started" | "queued" | "handled";
}

/** Prompts removed from an agent's queue. */
export interface ClearedQueue {
  steering: string[];
  follow_up: string[];
}

/**
 * Recorded output of the agent, in order. `message_update` has only its delta; deltas are removed when their message is
 * complete.
 */
export interface LiveEntry {
  /** Increases by one with every record of the session. */
  seq: number;
  timestamp: string;
  /**
   * Record of the agent's RPC mode, `truncated` if it was too large, or a record of the service: `service_exit`,
   * `service_garbage`, `service_line_skipped`, `service_prompt_failed`, `service_queue_cleared`, `service_entry` with
   * an entry whose own record was lost, and `extension_ui_response` for a question that was closed.
   */
  event: JsonObject;
}

export interface LiveEntries {
  entries: LiveEntry[];
  /** Value of `after_seq` for the next call. */
  next_seq: number;
  /** Whether records after `after_seq` were dropped for lack of space; the session file has them. */
  has_gap: boolean;
}

export interface LiveModel {
  /** `provider/model`. */
  model: string;
  name: string | null;
  /** Whether it supports thinking levels. */
  reasoning: boolean;
}

/** What a prompt that begins with `/` and its name runs. */
export interface AgentCommand {
  name: string;
  description: string | null;
  /** Where it comes from, in the agent's words: `extension`, `prompt`, `skill`. */
  source: string | null;
}

/** Files of a project whose paths have a text. */
export interface ProjectFiles {
  /** Relative to the project's folder, the best first. */
  files: string[];
  /** Whether all of the folder was looked at. */
  is_complete: boolean;
}

export interface LiveAnswer {
  session_id: string;
  request_id: string;
  value?: string | undefined;
  confirmed?: boolean | undefined;
  cancelled?: boolean | undefined;
}

export interface RegisteredModel extends LiveModel {
  thinking_levels?: string[] | undefined;
}

/** Properties of a live session that are derived from its records. */
export type DerivedFacts = Pick<LiveSession, "question" | "activity" | "outcome">;

/** Data that a session in a user's own terminal reports. */
export interface LiveRegistration
  extends Omit<
    LiveSession,
    "controllable" | "context_window" | "last_event_at" | "pending_messages" | keyof DerivedFacts
  > {
  /** Models that `setModel` accepts, at the time of registration. */
  models: RegisteredModel[];
}

/** A request to a registered session; its report repeats the `id`. */
export type LiveRequest =
  | { id: string; type: "prompt"; prompt: string; mode: LivePrompt["mode"]; images: LiveImage[] }
  | { id: string; type: "abort" }
  | { id: string; type: "set_model"; model: string | null; thinking_level: string | null }
  | { id: string; type: "set_name"; name: string }
  | { id: string; type: "stop" };

/** Events of a registered session since its last report. */
export interface LiveReport {
  session_id: string;
  /** Records as in the agent's RPC mode. */
  events: JsonObject[];
  /** Changes since the registration. */
  changes: Partial<Omit<LiveRegistration, "session_id" | "models">>;
  /** Completed requests, with the error if one failed. */
  done: { id: string; error: string | null }[];
}

/**
 * The running agents: started by the service, registered, and, read-only, others on this machine.
 *
 * Rejects with AppError `NOT_FOUND` for a session that is not live, `CONFLICT` for one that has exited or cannot be
 * controlled, and `TIMEOUT` if the agent does not respond.
 */
export interface LiveSessionService {
  /** Rejects with AppError `FORBIDDEN` if agents are disabled. */
  checkEnabled(): Promise<void>;
  /**
   * Rejects with AppError `FORBIDDEN` if agents are disabled, and `UNAVAILABLE` if the agent's program is not found and
   * no session has registered.
   */
  checkAvailable(): Promise<void>;
  list(): Promise<LiveSession[]>;
  /**
   * Starts the agent and waits until it responds. Rejects with AppError `CONFLICT` for a session that is already live,
   * with its ID in `details.session_id`, and `INVALID_PAYLOAD` for a missing directory.
   */
  start(options: StartOptions): Promise<LiveSession>;
  /** Shuts the agent down: aborts its turn and closes its input; kills it only if necessary. */
  stop(sessionId: string): Promise<LiveSession>;
  entries(sessionId: string, afterSeq: number | null): Promise<LiveEntries>;
  prompt(prompt: LivePrompt): Promise<AcceptedPrompt>;
  /**
   * Interrupts the agent. Queued prompts are removed first if the agent supports it (0.84.4), because it would continue
   * with them; they are reported in a record `service_queue_cleared`.
   */
  abort(sessionId: string): Promise<LiveSession>;
  /** Removes the prompts in the agent's queue. Rejects with AppError `CONFLICT` if the agent does not support it. */
  clearQueue(sessionId: string): Promise<ClearedQueue>;
  /** Rejects with AppError `INVALID_PAYLOAD` for an unavailable model or thinking level. */
  setModel(sessionId: string, change: { model: string | null; thinking_level: string | null }): Promise<LiveSession>;
  setName(sessionId: string, name: string): Promise<LiveSession>;
  /** Lists the models that `setModel` accepts. */
  models(sessionId: string): Promise<LiveModel[]>;
  /** Lists the thinking levels of the current model, in ascending order. */
  thinkingLevels(sessionId: string): Promise<string[]>;
  /** Lists the commands that prompts may begin with; none where the agent does not tell. */
  commands(sessionId: string): Promise<AgentCommand[]>;
  /** Finds files in the folder that the agent works in, and nowhere else. */
  findFiles(sessionId: string, text: string): Promise<ProjectFiles>;
  /** Rejects with AppError `NOT_FOUND` if the question is not open, `INVALID_PAYLOAD` if the answer does not fit. */
  answer(answer: LiveAnswer): Promise<LiveSession>;
  /**
   * Registers a session in a user's own terminal. If it had registered before, pending requests are kept; a session
   * with this ID of another process has ended. Its file is used if the library has it.
   */
  register(registration: LiveRegistration): Promise<LiveSession>;
  /** Processes a report of a registered session. */
  report(report: LiveReport): Promise<LiveSession>;
  /**
   * Waits up to `waitMs` milliseconds for requests to a registered session. Requests are repeated until acknowledged in
   * `received`, so that none is lost with a connection.
   */
  takeRequests(sessionId: string, received: readonly string[], waitMs: number): Promise<LiveRequest[]>;
}
