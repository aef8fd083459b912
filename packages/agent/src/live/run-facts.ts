import {
  type DerivedFacts,
  isJsonObject,
  type JsonValue,
  type LiveActivity,
  type LiveOutcome,
  type LiveQuestion,
  oneLine,
  QUESTION_KINDS,
} from "@sm/core";
import type { AgentRecord } from "./agent-record.ts";

/** Length of a text of the agent. */
const MAX_TEXT = 200;
/** Of a tool's name. */
const MAX_NAME = 80;
/** As many as are answered. */
const MAX_QUESTIONS = 100;
/** Key of the question in a user's own terminal, of which the agent reports one at a time. */
const IN_TERMINAL = "ui_prompt";
/** Arguments that tell what a call is about, the most telling first. */
const MAIN_ARGUMENTS = ["command", "path", "file_path", "pattern", "query", "url", "prompt", "description"];

type End = Pick<LiveOutcome, "result" | "error">;

/** Derives from an agent's records what it waits for, what it does, and how its runs end. */
export class RunFacts {
  /** Open ones, the newest last. */
  readonly #questions = new Map<string, LiveQuestion>();
  #activity: LiveActivity | null = null;
  #outcome: LiveOutcome | null = null;
  #isRunning = false;
  /** How the run would end now. */
  #end: End = { result: "finished", error: null };

  get facts(): DerivedFacts {
    const question = [...this.#questions.values()].at(-1) ?? null;
    return { question, activity: this.#activity, outcome: this.#outcome };
  }

  /** Returns whether anything changed. */
  observe(record: AgentRecord): boolean {
    switch (record.type) {
      case "agent_start":
        this.#isRunning = true;
        this.#outcome = null;
        this.#end = { result: "finished", error: null };
        return true;
      case "message_end":
        return this.#observeMessage(record.message);
      case "tool_execution_start":
        this.#activity = activity(oneLine(String(record.toolName), MAX_NAME), mainArgument(record.args));
        return true;
      case "agent_end":
        // A retry follows.
        return record.willRetry !== true && this.#endRun(this.#end);
      case "agent_settled":
        return this.#endRun(record.aborted === true ? { result: "aborted", error: null } : this.#end);
      case "service_exit":
        return this.#observeExit(record);
      default:
        return this.#observeQuestion(record);
    }
  }

  /** The agent waits no more, whatever it asked. */
  answered(): void {
    this.#questions.clear();
  }

  /** The agent has ended. What its last run came to is kept, unless its end was part of the run or an accident. */
  ended(result: "exited" | "lost" | "aborted", exitCode: number | null): void {
    this.answered();
    const isAccident = result === "lost" || (result === "exited" && exitCode !== null && exitCode !== 0);
    if (this.#outcome === null || this.#isRunning || isAccident) {
      const told = result === "aborted" && !this.#isRunning ? "exited" : result;
      this.#outcome = { result: told, error: null, exit_code: exitCode, ended_at: now() };
    }
    this.#isRunning = false;
  }

  #observeMessage(message: JsonValue | undefined): boolean {
    if (!isJsonObject(message)) return false;
    if (message.role === "user") {
      this.#activity = activity(null, textOf(message.content));
      return true;
    }
    if (message.role !== "assistant") return false;
    const { stopReason, errorMessage } = message;
    if (stopReason === "error") {
      const [line = ""] = (typeof errorMessage === "string" ? errorMessage : "").trim().split("\n");
      this.#end = { result: "failed", error: oneLine(line, MAX_TEXT) || null };
    } else this.#end = { result: stopReason === "aborted" ? "aborted" : "finished", error: null };
    return false;
  }

  #endRun(end: End): boolean {
    if (!this.#isRunning) return false;
    this.#isRunning = false;
    this.#outcome = { ...end, exit_code: null, ended_at: now() };
    return true;
  }

  #observeExit({ exit_code, stopped }: AgentRecord): boolean {
    const exitCode = typeof exit_code === "number" && stopped !== true ? exit_code : null;
    this.ended(stopped === true ? "aborted" : "exited", exitCode);
    return true;
  }

  #observeQuestion({ type, id, method, kind, title }: AgentRecord): boolean {
    switch (type) {
      case "extension_ui_request":
        return typeof id === "string" && this.#ask(id, method, title);
      case "extension_ui_response":
        return this.#questions.delete(String(id));
      case "ui_prompt_start":
        return this.#ask(IN_TERMINAL, kind, title);
      case "ui_prompt_end":
        return this.#questions.delete(IN_TERMINAL);
      default:
        return false;
    }
  }

  #ask(id: string, asked: JsonValue | undefined, title: JsonValue | undefined): boolean {
    const kind = QUESTION_KINDS.find((one) => one === asked);
    if (kind === undefined || this.#questions.size >= MAX_QUESTIONS) return false;
    const line = typeof title === "string" ? oneLine(title, MAX_TEXT) : "";
    this.#questions.delete(id);
    this.#questions.set(id, { kind, title: line || null, asked_at: now() });
    return true;
  }
}

function activity(tool: string | null, text: string): LiveActivity {
  return { tool, text: oneLine(text, MAX_TEXT), started_at: now() };
}

function mainArgument(args: JsonValue | undefined): string {
  if (!isJsonObject(args)) return "";
  const name = MAIN_ARGUMENTS.find((one) => typeof args[one] === "string");
  return name === undefined ? "" : String(args[name]);
}

/** Text of a message, whose content is a string or blocks. */
function textOf(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? content : [];
  return blocks.flatMap((block) => (isJsonObject(block) && block.type === "text" ? String(block.text) : [])).join(" ");
}

function now(): string {
  return new Date().toISOString();
}
