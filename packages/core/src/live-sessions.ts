import type { JsonObject } from "./json.ts";

/** `waiting`: for an answer of the user to a question of the agent. */
export type LiveState = "idle" | "streaming" | "waiting" | "exited";

/** An agent that runs. */
export interface LiveSession {
  session_id: string;
  /** `null` until the agent has written its file, and where that is not known. */
  session_path: string | null;
  cwd: string;
  pid: number;
  state: LiveState;
  /** `provider/model`. */
  model: string | null;
  thinking_level: string | null;
  started_at: string;
  last_event_at: string;
  /** Prompts that wait for their turn. */
  pending_messages: number;
  name: string | null;
  /** Whether prompts can be sent to it: the service started it, or it has registered. */
  controllable: boolean;
}

/** One of the two says where the agent works. */
export interface StartOptions {
  /** An absolute, existing directory, for a new session. */
  cwd?: string | undefined;
  /** A stored session, to go on with. */
  session_path?: string | undefined;
  /** `provider/model`, or the id of a model. */
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
  /** `steer` interrupts a turn that runs, `follow_up` waits for its end, and so does a `prompt` that comes in one. */
  mode: "prompt" | "steer" | "follow_up";
  images?: LiveImage[] | undefined;
}

export interface AcceptedPrompt {
  accepted: true;
  /** `handled`: an extension took it, and no run follows. Releases of the agent before 0.99 say `started` then. */
  disposition: "started" | "queued" | "handled";
}

/** Prompts that were taken out of an agent's queue. */
export interface ClearedQueue {
  steering: string[];
  follow_up: string[];
}

/** What the agent said, in order. `message_update` holds its delta alone; deltas go when their message has ended. */
export interface LiveEntry {
  /** Grows by one with every record of this session. */
  seq: number;
  timestamp: string;
  /**
   * The agent's RPC record, `truncated` where it was too large, or one of the service's own: `service_exit`,
   * `service_garbage`, `service_line_skipped`, `service_prompt_failed`, `service_queue_cleared`, `service_entry` with an entry whose own record was lost, and `extension_ui_response` for a question that
   * is no longer open.
   */
  event: JsonObject;
}

export interface LiveEntries {
  entries: LiveEntry[];
  /** To be passed as `after_seq` next time. */
  next_seq: number;
  /** Whether records after `after_seq` were forgotten since there was no room for them; the session's file has them. */
  has_gap: boolean;
}

export interface LiveModel {
  /** `provider/model`. */
  model: string;
  name: string | null;
  /** Whether it has thinking levels. */
  reasoning: boolean;
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

/** What a session in somebody's own terminal says of itself. */
export interface LiveRegistration extends Omit<LiveSession, "controllable" | "last_event_at" | "pending_messages"> {
  /** What `setModel` takes, as of the registration. */
  models: RegisteredModel[];
}

/** What a registered session is asked to do; `id` repeats in its report. */
export type LiveRequest =
  | { id: string; type: "prompt"; prompt: string; mode: LivePrompt["mode"]; images: LiveImage[] }
  | { id: string; type: "abort" }
  | { id: string; type: "set_model"; model: string | null; thinking_level: string | null }
  | { id: string; type: "set_name"; name: string }
  | { id: string; type: "stop" };

/** What happened in a registered session since its last report. */
export interface LiveReport {
  session_id: string;
  /** Records as the agent's RPC mode would write them. */
  events: JsonObject[];
  /** What has changed of the registration. */
  changes: Partial<Omit<LiveRegistration, "session_id" | "models">>;
  /** Requests that were carried out, with the reason where one could not be. */
  done: { id: string; error: string | null }[];
}

/**
 * The agents that run: those of the service, those that have registered, and, read-only, the others of this machine.
 *
 * Rejects with AppError `NOT_FOUND` for a session that is not live, `CONFLICT` for one that has exited or cannot be
 * controlled, and `TIMEOUT` where the agent does not answer.
 */
export interface LiveSessionService {
  /** Rejects with AppError `FORBIDDEN` where agents are turned off. */
  checkEnabled(): Promise<void>;
  /**
   * Rejects with AppError `FORBIDDEN` where agents are turned off, and `UNAVAILABLE` where the agent's program is not
   * found and no session has registered either.
   */
  checkAvailable(): Promise<void>;
  list(): Promise<LiveSession[]>;
  /**
   * Starts the agent and waits until it answers. Rejects with AppError `CONFLICT` for a session that is live already,
   * `details.session_id` naming it, and `INVALID_PAYLOAD` for a directory that does not exist.
   */
  start(options: StartOptions): Promise<LiveSession>;
  /** Ends the agent in order: aborts its turn, closes its input, and only then uses force. */
  stop(sessionId: string): Promise<LiveSession>;
  entries(sessionId: string, afterSeq: number | null): Promise<LiveEntries>;
  prompt(prompt: LivePrompt): Promise<AcceptedPrompt>;
  /**
   * Ends what the agent is doing. Prompts in its queue are removed first where the agent can do that (0.84.4), since it
   * would go on with them; a record `service_queue_cleared` tells them.
   */
  abort(sessionId: string): Promise<LiveSession>;
  /** Removes the prompts in the agent's queue. Rejects with AppError `CONFLICT` where the agent cannot do that. */
  clearQueue(sessionId: string): Promise<ClearedQueue>;
  /** Rejects with AppError `INVALID_PAYLOAD` for a model or a thinking level that the agent does not offer. */
  setModel(sessionId: string, change: { model: string | null; thinking_level: string | null }): Promise<LiveSession>;
  setName(sessionId: string, name: string): Promise<LiveSession>;
  /** Lists what `setModel` takes. */
  models(sessionId: string): Promise<LiveModel[]>;
  /** Lists the thinking levels of the present model, from none to most. */
  thinkingLevels(sessionId: string): Promise<string[]>;
  /** Rejects with AppError `NOT_FOUND` for a question that is not open, `INVALID_PAYLOAD` for another's answer. */
  answer(answer: LiveAnswer): Promise<LiveSession>;
  /**
   * Takes a session in somebody's own terminal. Where it has registered before, it goes on with what it is asked; what
   * another process has registered under this id has ended. Its file counts where the library has it.
   */
  register(registration: LiveRegistration): Promise<LiveSession>;
  /** Takes what happened in a registered session. */
  report(report: LiveReport): Promise<LiveSession>;
  /**
   * Waits for what a registered session is asked to do; nothing after `waitMs` milliseconds. A request is given again
   * until its id is among the `received` ones, so that none is lost with a connection.
   */
  takeRequests(sessionId: string, received: readonly string[], waitMs: number): Promise<LiveRequest[]>;
}
