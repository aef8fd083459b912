import { AppError, type JsonObject, type LiveAnswer } from "@sm/core";
import type { AgentRecord } from "./agent-record.ts";

const METHODS = new Set(["select", "confirm", "input", "editor"]);
/** Limit of open questions. */
const MAX_OPEN = 100;
/** Maximum delay of `setTimeout`. */
const MAX_DELAY_MS = 2 ** 31 - 1;

interface Dialog {
  request: AgentRecord;
  timer: NodeJS.Timeout | null;
}

/** The agent's questions to the user. */
export class Dialogs {
  readonly #open = new Map<string, Dialog>();
  readonly #closed: (response: AgentRecord, isForAgent: boolean) => void;

  /** `closed` receives the response to each question; the agent responds itself when time runs out. */
  constructor(closed: (response: AgentRecord, isForAgent: boolean) => void) {
    this.#closed = closed;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Processes the record if it is a question. */
  observe(request: AgentRecord): void {
    const { id, method, timeout } = request;
    if (request.type !== "extension_ui_request" || typeof id !== "string" || !METHODS.has(String(method))) return;
    this.#removeQuestion(id);
    if (this.#open.size >= MAX_OPEN) {
      this.#closed(cancelled(id), true);
      return;
    }
    const timer =
      typeof timeout === "number" && timeout > 0 && timeout <= MAX_DELAY_MS
        ? setTimeout(() => {
            this.#open.delete(id);
            this.#closed(cancelled(id), false);
          }, timeout)
        : null;
    this.#open.set(id, { request, timer });
  }

  /**
   * Rejects with AppError `NOT_FOUND` if the question is not open, and `INVALID_PAYLOAD` if the answer does not fit.
   */
  answer(answer: LiveAnswer): void {
    const id = answer.request_id;
    const dialog = this.#open.get(id);
    if (dialog === undefined) {
      throw new AppError("NOT_FOUND", `The agent has no question ${id}; it may already have been answered.`);
    }
    const response = responseTo(dialog.request, answer);
    this.#removeQuestion(id);
    this.#closed({ type: "extension_ui_response", id, ...response }, true);
  }

  cancelAll(): void {
    for (const id of [...this.#open.keys()]) {
      this.#removeQuestion(id);
      this.#closed(cancelled(id), true);
    }
  }

  /** Discards the questions of an agent that has ended. */
  forget(): void {
    for (const id of [...this.#open.keys()]) this.#removeQuestion(id);
  }

  #removeQuestion(id: string): void {
    clearTimeout(this.#open.get(id)?.timer ?? undefined);
    this.#open.delete(id);
  }
}

const cancelled = (id: string): AgentRecord => ({ type: "extension_ui_response", id, cancelled: true });

function responseTo(request: AgentRecord, { value, confirmed, cancelled: isCancelled }: LiveAnswer): JsonObject {
  if (isCancelled === true) return { cancelled: true };
  if (request.method === "confirm") {
    if (confirmed === undefined) throw unfit("confirmed", 'This question takes "confirmed" or "cancelled".');
    return { confirmed };
  }
  if (value === undefined) throw unfit("value", 'This question takes "value" or "cancelled".');
  const { options } = request;
  if (request.method === "select" && Array.isArray(options) && !options.includes(value)) {
    throw unfit("value", "This is not one of the choices.");
  }
  return { value };
}

function unfit(path: string, message: string): AppError {
  return new AppError("INVALID_PAYLOAD", message, { details: [{ path, message }] });
}
