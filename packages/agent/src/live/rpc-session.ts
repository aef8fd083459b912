import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import {
  type AcceptedPrompt,
  type AgentCommand,
  AppError,
  type ClearedQueue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LiveAnswer,
  type LiveModel,
  type LivePrompt,
} from "@sm/core";
import { AgentActivity } from "./agent-activity.ts";
import { parseCommands } from "./agent-commands.ts";
import { type AgentExit, AgentProcess } from "./agent-process.ts";
import type { AgentProgram } from "./agent-program.ts";
import { type AgentRecord, readRecord, type TakenRecord, takeRecord } from "./agent-record.ts";
import type { ControlledSession } from "./controlled-session.ts";
import { Dialogs } from "./dialogs.ts";
import { lastEntryId } from "./last-entry.ts";
import type { Line } from "./lines.ts";
import { type AgentModel, chooseModel, parseContextWindow, parseModel, parseModels } from "./models.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { type EntryCursor, Reconciliation } from "./reconciliation.ts";
import { Requests } from "./requests.ts";
import { type SessionListener, SessionLog } from "./session-log.ts";
import { startFailure, startTimeout } from "./start-failure.ts";
import { checkThinkingLevel, OLD_THINKING_LEVELS, parseThinkingLevels } from "./thinking-levels.ts";

export interface DrivenOptions {
  program: AgentProgram;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Stored session to resume, by its path in the library. */
  sessionPath: string | null;
  /** Known end of that session, with which the agent's entries are compared. */
  cursor: EntryCursor | null;
  /** `provider/model` or an ID, resolved by the agent. */
  model: string | null;
  /** Path of a session file in the library. */
  pathOf(file: string): Promise<string>;
  times: LiveTimes;
  listener: SessionListener;
}

/** Time limits of the agent, in milliseconds. */
export interface LiveTimes {
  /** Start, including loading of extensions and their network requests. */
  start: number;
  /** Response to a command. */
  request: number;
  /** End of the turn when it is stopped. */
  abort: number;
  /** Exit after the end of input and SIGTERM; normally about 100 ms. */
  end: number;
  /** Exit after a second SIGTERM; then it is killed. */
  terminate: number;
}

export const TIMES: LiveTimes = { start: 60_000, request: 30_000, abort: 2_000, end: 3_000, terminate: 2_000 };

/** Limit for an agent that does not use the protocol. */
const MAX_GARBAGE = 100;
/** Other session IDs of an agent cannot be used as names. */
const SESSION_ID = /^[\w.-]{1,200}$/;
const MIN_CHECK_MS = 50;
const MAX_CHECK_MS = 5_000;

/** An agent in RPC mode, started by the service. */
export class RpcSession implements ControlledSession {
  readonly log: SessionLog;
  readonly #options: DrivenOptions;
  readonly #process: AgentProcess;
  readonly #requests: Requests;
  readonly #activity = new AgentActivity();
  readonly #dialogs: Dialogs;
  readonly #prompts: PromptQueue;
  readonly #over: Promise<AgentExit>;
  #reconciliation: Reconciliation;
  #file: string | null = null;
  #lastEntry: Promise<EntryCursor> | null = null;
  #garbage = 0;
  #isChecking = false;
  #stopping: Promise<AgentExit> | null = null;

  constructor(options: DrivenOptions) {
    this.#options = options;
    const { program, cwd, env, sessionPath, model } = options;
    const args = [
      ...program.args,
      ...["--mode", "rpc"],
      ...(sessionPath === null ? [] : ["--session", sessionPath]),
      ...(model === null ? [] : ["--model", model]),
    ];
    this.#process = new AgentProcess({ file: program.file, args, cwd, env, onLine: (line) => this.#handleLine(line) });
    this.#requests = new Requests((record) => this.#process.write(record));
    this.#prompts = new PromptQueue({
      send: (command, answered) => this.#requests.send(command, options.times.request, answered),
      isBusy: () => this.#activity.isBusy,
      failed: ({ message }) => {
        if (!this.log.isOver) this.#add({ type: "service_prompt_failed", error: message });
      },
    });
    this.#dialogs = new Dialogs((response, isForAgent) => this.#closeDialog(response, isForAgent));
    this.log = new SessionLog(
      {
        session_id: "",
        session_path: sessionPath,
        cwd,
        pid: this.#process.pid,
        state: "idle",
        model: null,
        context_window: null,
        thinking_level: null,
        started_at: new Date().toISOString(),
        pending_messages: 0,
        name: null,
      },
      options.listener,
    );
    const start = { id: null, time: this.log.session.started_at };
    this.#reconciliation = new Reconciliation(options.cursor ?? start, options.cursor !== null);
    this.#over = this.#process.exited.then((exit) => this.#end(exit));
  }

  /** Waits until the agent responds; returns its session ID. Ends an agent that does not respond. */
  async ready(): Promise<string> {
    const { model, times } = this.#options;
    const answered = this.#requests.send({ type: "get_state" }, times.start, (data) => {
      this.#takeState(data);
      const id = isJsonObject(data) ? data.sessionId : null;
      return typeof id === "string" && SESSION_ID.test(id) ? id : randomUUID();
    });
    const ended = this.#over.then((exit) => Promise.reject(startFailure(exit, model)));
    try {
      return await Promise.race([answered, ended]);
    } catch (error) {
      // Its last output is available after its exit.
      const stderr = this.#process.stderr;
      if (this.log.isOver) return await ended;
      await this.#process.kill();
      await this.#over;
      if (!(error instanceof AppError)) throw error;
      throw error.code === "TIMEOUT" ? startTimeout(times.start, stderr) : new AppError("UNAVAILABLE", error.message);
    } finally {
      ended.catch(() => {});
      answered.catch(() => {});
    }
  }

  /** Last entry of its file when it ended, included in its log; `null` before. */
  async lastEntry(): Promise<EntryCursor | null> {
    return this.#lastEntry;
  }

  /**
   * Verifies that the agent uses the requested model: it accepts similar names, and any name of a known provider.
   * Rejects with AppError `INVALID_PAYLOAD`.
   */
  async confirmModel(wanted: string): Promise<void> {
    const present = this.log.session.model;
    const { model } = chooseModel(await this.#models(), wanted, present);
    if (model !== present) await this.setModel({ model, thinking_level: null });
  }

  async prompt(prompt: LivePrompt): Promise<AcceptedPrompt> {
    return this.#prompts.send(prompt);
  }

  async abort(): Promise<void> {
    this.#dialogs.cancelAll();
    await this.#abort(this.#options.times.request);
    await this.#refresh();
  }

  async clearQueue(): Promise<ClearedQueue> {
    return this.#requests.send({ type: "clear_queue" }, this.#options.times.request, (data) => {
      const cleared = clearedQueueOf(data);
      // Subscribers learn which prompts will not run.
      if (cleared.steering.length + cleared.follow_up.length > 0) {
        this.#add({ type: "service_queue_cleared", ...cleared });
      }
      return cleared;
    });
  }

  async setModel({ model, thinking_level }: { model: string | null; thinking_level: string | null }): Promise<void> {
    if (model !== null) {
      const { provider, id } = chooseModel(await this.#models(), model, this.log.session.model);
      await this.#ask({ type: "set_model", provider, modelId: id });
    }
    if (model !== null) await this.#refresh();
    if (thinking_level === null) return;
    checkThinkingLevel(thinking_level, await this.thinkingLevels(), this.log.session.model);
    await this.#ask({ type: "set_thinking_level", level: thinking_level });
    await this.#refresh();
  }

  async setName(name: string): Promise<void> {
    await this.#ask({ type: "set_session_name", name });
    this.log.update({ name });
  }

  async models(): Promise<LiveModel[]> {
    return (await this.#models()).map(({ model, name, reasoning }) => ({ model, name, reasoning }));
  }

  async thinkingLevels(): Promise<string[]> {
    if (!this.#requests.lacks("get_available_thinking_levels")) {
      try {
        return parseThinkingLevels(await this.#ask({ type: "get_available_thinking_levels" }));
      } catch (error) {
        if (!this.#requests.lacks("get_available_thinking_levels")) throw error;
      }
    }
    return [...OLD_THINKING_LEVELS];
  }

  async commands(): Promise<AgentCommand[]> {
    if (!this.#requests.lacks("get_commands")) {
      try {
        return parseCommands(await this.#ask({ type: "get_commands" }));
      } catch (error) {
        if (!this.#requests.lacks("get_commands")) throw error;
      }
    }
    return [];
  }

  answer(answer: LiveAnswer): void {
    this.#dialogs.answer(answer);
  }

  async stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    await this.#stopping;
  }

  async #stop(): Promise<AgentExit> {
    const { times } = this.#options;
    this.#dialogs.cancelAll();
    if (this.#activity.isBusy) {
      await this.#abort(times.abort).catch(() => {});
    }
    await this.#process.end(times);
    return this.#over;
  }

  /** An aborted agent continues with its queue, so it is cleared first. The agent processes both commands in order. */
  async #abort(ms: number): Promise<void> {
    const clearing = this.#requests.lacks("clear_queue") ? null : this.clearQueue();
    await Promise.all([clearing?.catch(() => {}), this.#ask({ type: "abort" }, ms)]);
  }

  #end(exit: AgentExit): AgentExit {
    const reason = new AppError("CONFLICT", "The agent has exited.");
    this.#requests.failAll(reason);
    this.#dialogs.forget();
    this.#add({ type: "service_exit", ...exit, stopped: this.#stopping !== null });
    this.log.update({ state: "exited", pending_messages: 0 });
    const time = this.log.session.last_event_at;
    const reading = this.#file === null ? Promise.resolve(null) : lastEntryId(this.#file);
    this.#lastEntry = reading.then((id) => ({ id, time }));
    return exit;
  }

  #ask(command: JsonObject & { type: string }, ms = this.#options.times.request): Promise<JsonValue | undefined> {
    return this.#requests.send(command, ms, (data) => data);
  }

  async #models(): Promise<AgentModel[]> {
    return parseModels(await this.#ask({ type: "get_available_models" }));
  }

  async #refresh(): Promise<void> {
    await this.#requests.send({ type: "get_state" }, this.#options.times.request, (data) => this.#takeState(data));
  }

  #handleLine(line: Line): void {
    const taken = readRecord(line);
    if (taken === null) return;
    const { record } = taken;
    if (record.type === "response") {
      this.#requests.answer(record);
      return;
    }
    if (record.type === "service_garbage") {
      this.#garbage += 1;
      if (this.#garbage > MAX_GARBAGE) return;
    }
    this.#activity.observe(record);
    this.#reconciliation.observe(record);
    this.#dialogs.observe(record);
    this.log.add(taken);
    this.#takeFacts(taken);
    this.#showState();
    if (this.#activity.isEnding) void this.#check();
  }

  #takeFacts({ record }: TakenRecord): void {
    switch (record.type) {
      case "agent_start":
        this.#prompts.begun();
        break;
      case "extension_ui_request":
        if (this.#dialogs.isOpen) this.#prompts.begun();
        break;
      case "queue_update":
        this.#prompts.observeQueue(record);
        this.log.update({ pending_messages: this.#prompts.queued });
        break;
      case "thinking_level_changed":
        if (typeof record.level === "string") this.log.update({ thinking_level: record.level });
        break;
      case "session_info_changed":
        this.log.update({ name: textOrNull(record.name) });
        break;
      case "message_end":
      case "tool_execution_start":
      case "turn_end":
        // The agent writes its file after its first response; a tool may run for long then.
        if (this.log.session.session_path === null) void this.#followFile();
        break;
    }
  }

  #takeState(data: JsonValue | undefined): void {
    if (!isJsonObject(data)) throw new AppError("UNAVAILABLE", "Could not read the agent's state; update the agent.");
    this.#activity.observeState(data);
    this.log.update({
      model: parseModel(data.model)?.model ?? null,
      context_window: parseContextWindow(data.model),
      thinking_level: textOrNull(data.thinkingLevel),
      name: textOrNull(data.sessionName),
      pending_messages: typeof data.pendingMessageCount === "number" ? data.pendingMessageCount : this.#prompts.queued,
    });
    this.#showState();
    this.#file = textOrNull(data.sessionFile);
    void this.#followFile();
  }

  /** After a run, polls until the agent is idle or working. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (let ms = MIN_CHECK_MS; this.#activity.isEnding && !this.log.isOver; ms = Math.min(ms * 2, MAX_CHECK_MS)) {
      // Retries if it hangs.
      await this.#refresh().catch(() => {});
      if (this.#activity.isEnding) await wait(ms, undefined, { ref: false });
    }
    this.#isChecking = false;
  }

  /** Adds entries that are missing in the agent's records; not possible before 0.80.3. */
  async #reconcile(): Promise<void> {
    const reconciliation = this.#reconciliation;
    reconciliation.begin();
    const { id } = reconciliation.cursor;
    const read = (since: string | null) => (data: JsonValue | undefined) => {
      for (const entry of reconciliation.take(data, since !== null)) this.#add({ type: "service_entry", entry });
    };
    const ask = (since: string | null) => {
      const command = { type: "get_entries", ...(since === null ? {} : { since }) };
      return this.#requests.send(command, this.#options.times.request, read(since));
    };
    if (this.#requests.lacks("get_entries")) return;
    // Unknown to the agent if it has another session, or the file was rewritten.
    const asked =
      id === null ? ask(null) : ask(id).catch(() => (this.#requests.lacks("get_entries") ? null : ask(null)));
    await asked.catch(() => {});
  }

  /** The agent names its file before writing it. */
  async #followFile(): Promise<void> {
    const file = this.#file;
    const isWritten = file !== null && (await stat(file).catch(() => null))?.isFile() === true;
    const session_path = isWritten ? await this.#options.pathOf(file) : null;
    if (this.#file === file && !this.log.isOver) this.log.update({ session_path });
  }

  #showState(): void {
    if (this.log.isOver) return;
    const state = this.#dialogs.isOpen ? "waiting" : this.#activity.isBusy ? "streaming" : "idle";
    this.log.update({ state });
    // While the agent works, the record of a written entry may still arrive.
    if (state === "idle" && this.#reconciliation.isDue) void this.#reconcile();
  }

  #closeDialog(response: AgentRecord, isForAgent: boolean): void {
    try {
      if (isForAgent) this.#process.write(response);
    } catch {
      // Its exit is reported separately.
    }
    // The user's answer may be a secret: subscribers only learn that there is one.
    const { type, id, cancelled } = response;
    this.#add({ type, id, cancelled: cancelled === true });
    this.#showState();
  }

  #add(record: AgentRecord): void {
    const taken = takeRecord(record);
    if (taken !== null) this.log.add(taken);
  }
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function clearedQueueOf(data: JsonValue | undefined): ClearedQueue {
  const { steering, followUp } = isJsonObject(data) ? data : {};
  return { steering: stringsIn(steering), follow_up: stringsIn(followUp) };
}

function stringsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
}
