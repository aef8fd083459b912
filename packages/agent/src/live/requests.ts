import { AppError, type JsonObject, type JsonValue } from "@sm/core";
import type { AgentRecord } from "./agent-record.ts";

/** An agent that reads its input has few unanswered commands. */
const MAX_OPEN = 100;

interface OpenRequest {
  command: string;
  timer: NodeJS.Timeout;
  succeed(data: JsonValue | undefined): void;
  fail(error: AppError): void;
}

/** Commands sent to an agent that wait for a response. */
export class Requests {
  readonly #write: (record: JsonObject) => void;
  readonly #open = new Map<string, OpenRequest>();
  readonly #unknown = new Set<string>();
  #last = 0;

  constructor(write: (record: JsonObject) => void) {
    this.#write = write;
  }

  /** Whether the agent has reported that it does not know a command. */
  lacks(command: string): boolean {
    return this.#unknown.has(command);
  }

  /**
   * Sends a command. `read` is called in order with the agent's records. Rejects with AppError `TIMEOUT`, and
   * `CONFLICT` if the agent rejects it or has ended.
   */
  async send<Answer>(
    command: JsonObject & { type: string },
    timeoutMs: number,
    read: (data: JsonValue | undefined) => Answer,
  ): Promise<Answer> {
    if (this.#open.size >= MAX_OPEN) {
      throw new AppError("CONFLICT", "The agent has not answered earlier requests; abort or stop it.");
    }
    this.#last += 1;
    const id = String(this.#last);
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#open.delete(id);
        reject(new AppError("TIMEOUT", `The agent did not answer ${command.type} in ${timeoutMs / 1_000} seconds.`));
      }, timeoutMs);
      this.#open.set(id, {
        command: command.type,
        timer,
        succeed: (data) => {
          try {
            resolve(read(data));
          } catch (error) {
            reject(error);
          }
        },
        fail: reject,
      });
      try {
        this.#write({ id, ...command });
      } catch (error) {
        this.#removeRequest(id);
        reject(error);
      }
    });
  }

  /** Processes a response of the agent; `false` if there is no such request. */
  answer(response: AgentRecord): boolean {
    const id = typeof response.id === "string" ? response.id : this.#oldestOf(response.command);
    const request = id === undefined ? undefined : this.#removeRequest(id);
    if (request === undefined) return false;
    const { command } = request;
    if (response.truncated === true)
      request.fail(new AppError("CONFLICT", `The agent's answer to ${command} is too long.`));
    else if (response.success === true) request.succeed(response.data);
    else request.fail(this.#refusal(command, response.error));
    return true;
  }

  failAll(error: AppError): void {
    for (const id of [...this.#open.keys()]) this.#removeRequest(id)?.fail(error);
  }

  /** Old versions respond to unknown commands without their ID. */
  #oldestOf(command: JsonValue | undefined): string | undefined {
    for (const [id, request] of this.#open) if (request.command === command) return id;
    return undefined;
  }

  #refusal(command: string, error: JsonValue | undefined): AppError {
    const reason = typeof error === "string" ? error : "no reason given";
    if (!reason.startsWith("Unknown command")) return new AppError("CONFLICT", `The agent refused: ${reason}`);
    this.#unknown.add(command);
    return new AppError("CONFLICT", `This version of the agent does not know ${command}; update it.`);
  }

  #removeRequest(id: string): OpenRequest | undefined {
    const request = this.#open.get(id);
    if (request === undefined) return undefined;
    this.#open.delete(id);
    clearTimeout(request.timer);
    return request;
  }
}
