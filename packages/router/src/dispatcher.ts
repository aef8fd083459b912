import { AppError, type ErrorCode, isJsonObject, nearest } from "@sm/core";
import { validate } from "@sm/core/input";
import { AnswerBudget, type AnswerPart } from "./answer-budget.ts";
import type { Caller } from "./caller.ts";
import type { Command, CommandAccess, Registry } from "./command.ts";
import { connectionCommands } from "./connection-commands.ts";
import { checkControl } from "./control.ts";
import { Deadlines } from "./deadlines.ts";
import { JsonText, jsonArray } from "./json-text.ts";
import { registry as everyCommand } from "./registry.ts";
import { type CommandResponse, type DispatchLog, errorBody, failure } from "./response.ts";
import { RunningCommand } from "./running-command.ts";
import type { Services } from "./services.ts";
import { StreamedJson } from "./streamed-json.ts";

/** The one way from a request to its answer, for every transport. */
export interface Dispatcher {
  /** Answers a decoded request. Never throws and never rejects. */
  dispatch(request: unknown, caller: Caller): Promise<CommandResponse>;
}

export interface DispatcherOptions<Used = Services> {
  log: DispatchLog;
  /** Milliseconds until a command is answered with `TIMEOUT`; 120,000 if absent. */
  timeoutMs?: number;
  /** Of the memory for large answers; one of its own if absent. */
  budget?: AnswerBudget;
  /** Every command of the service if absent. */
  registry?: Registry<Used>;
  /** Is told of every request that was answered. Must not throw. */
  onCommand?: (done: AnsweredCommand) => void;
}

/** A request that was answered. Its name and code come from closed sets, whatever a client sends. */
export interface AnsweredCommand {
  /** `unknown` where the registry has no such command. */
  command: string;
  /** `CANCELLED` where it failed and the client had gone. */
  code: ErrorCode | "OK" | "CANCELLED";
  seconds: number;
}

const TIMEOUT_MS = 120_000;

/** Makes the dispatcher that runs the commands of a registry on the services that these use. */
export function createDispatcher<Used = Services>(
  services: NoInfer<Used>,
  options: DispatcherOptions<Used>,
): Dispatcher {
  const { log, timeoutMs = TIMEOUT_MS, budget = new AnswerBudget(), onCommand } = options;
  // Without a registry, `Used` is what every command of the service uses.
  const registry = (options.registry ?? everyCommand) as Registry<Used>;
  const deadlines = new Deadlines(timeoutMs);

  async function answer(request: unknown, caller: Caller): Promise<CommandResponse> {
    let name: string | null = null;
    let running: RunningCommand | undefined;
    let part: AnswerPart | undefined;
    const end = () => {
      running?.end();
      part?.release();
    };
    const describe = (error: unknown) => errorBody(error, log, { command: name });
    try {
      const known = commandName(request);
      name = known;
      const command = findCommand(known, registry);
      checkAccess(known, command, caller);
      running = new RunningCommand(known, caller, deadlines);
      if (command.prerequisite !== undefined) await running.within(command.prerequisite(services));
      const input = validate(command.input, payloadOf(request));
      if (command.answerBytes !== undefined) part = await budget.take(command.answerBytes, running);
      const output = await running.within(
        command.run(input, services, { asker: running, describe, registry, tokenId: caller.tokenId }),
      );
      // Before anything else can happen: what comes after this answer is told to the caller.
      if (command.topics !== undefined) caller.listen?.(command.topics(output));
      // What is part of the budget is so until it is sent.
      const text = textOf(output) ?? (part === undefined ? null : JsonText.of(output));
      if (text === null) {
        end();
        return { success: true, data: output, error: null };
      }
      if (text.bytes > 0) part?.resize(text.bytes);
      return { success: true, data: await StreamedJson.open(text, running.within, end), error: null };
    } catch (error) {
      end();
      return failure(describe(error));
    }
  }

  return {
    async dispatch(request, caller) {
      const started = performance.now();
      const response = await answer(request, caller);
      const seconds = (performance.now() - started) / 1_000;
      const code = response.error === null ? "OK" : caller.signal?.aborted === true ? "CANCELLED" : response.error.code;
      onCommand?.({ command: knownName(request, registry), code, seconds });
      return response;
    },
  };
}

function knownName(request: unknown, registry: ReadonlyMap<string, unknown>): string {
  const name = isJsonObject(request) ? request.command : null;
  return typeof name === "string" && registry.has(name) ? name : "unknown";
}

/** Finds the text of what is written while it is sent; `null` for a value. */
function textOf(output: unknown): JsonText<unknown> | null {
  if (output instanceof JsonText) return output;
  return isAsyncIterable(output) ? new JsonText(jsonArray(output)) : null;
}

function isAsyncIterable(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}

function commandName(request: unknown): string {
  if (isJsonObject(request) && typeof request.command === "string") return request.command;
  throw new AppError("INVALID_REQUEST", 'A request is a JSON object with the name of a command in "command".');
}

function payloadOf(request: unknown): unknown {
  return (isJsonObject(request) ? request.payload : null) ?? {};
}

function findCommand<Found>(name: string, registry: ReadonlyMap<string, Found>): Found {
  const command = registry.get(name);
  if (command !== undefined) return command;
  if (Object.hasOwn(connectionCommands, name)) {
    throw new AppError("UNKNOWN_COMMAND", `"${name}" is about a WebSocket connection; send it over one, at /ws.`);
  }
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  const suggestion = nearest(name, registry.keys());
  throw new AppError("UNKNOWN_COMMAND", `There is no command "${shown}"; the nearest is "${suggestion}".`);
}

function checkAccess(name: string, command: CommandAccess & Pick<Command, "shows">, caller: Caller): void {
  if (caller.scope === null) throw unauthorized(caller);
  if (command.access === "control") checkControl(`"${name}" controls ${command.controls}`, caller);
  if (caller.scope === "read" && command.access === "write") {
    const message =
      command.shows === undefined
        ? `"${name}" changes something, which a token of scope "read" may not do.`
        : `"${name}" may show ${command.shows}, which a token of scope "read" may not see; use one of scope "full".`;
    throw new AppError("FORBIDDEN", message);
  }
}

/** Makes the reason with which a transport aborts the signal of a caller whose connection has closed. */
export function clientGone(): AppError {
  return new AppError("UNAVAILABLE", "The client has gone, so that nobody waits for the answer.");
}

/** Makes the error for a caller who has to say who they are first. */
export function unauthorized({ doubt }: Pick<Caller, "doubt">): AppError {
  const who = doubt === undefined ? "A client on another machine" : "This client";
  const needs = `${who} needs an API token: send it as "Authorization: Bearer <API_TOKEN>".`;
  return new AppError("UNAUTHORIZED", doubt === undefined ? needs : `${needs} ${doubt}`);
}
