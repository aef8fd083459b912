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

/** Runs decoded requests, for all transports. */
export interface Dispatcher {
  /** Runs a request. Never throws and never rejects. */
  dispatch(request: unknown, caller: Caller): Promise<CommandResponse>;
}

export interface DispatcherOptions<Used = Services> {
  log: DispatchLog;
  /** Milliseconds until a command fails with `TIMEOUT`; default 120,000. */
  timeoutMs?: number;
  /** Memory budget for large responses; default: a separate one. */
  budget?: AnswerBudget;
  /** Default: all commands of the service. */
  registry?: Registry<Used>;
  /** Called after every request. Must not throw. */
  onCommand?: (done: AnsweredCommand) => void;
}

/** A completed request. Name and code come from closed sets, independent of what clients send. */
export interface AnsweredCommand {
  /** `unknown` if the registry has no such command. */
  command: string;
  /** `CANCELLED` if it failed after the client had disconnected. */
  code: ErrorCode | "OK" | "CANCELLED";
  seconds: number;
}

const TIMEOUT_MS = 120_000;

/** Creates a dispatcher that runs the commands of a registry on the services they use. */
export function createDispatcher<Used = Services>(
  services: NoInfer<Used>,
  options: DispatcherOptions<Used>,
): Dispatcher {
  const { log, timeoutMs = TIMEOUT_MS, budget = new AnswerBudget(), onCommand } = options;
  // Without a registry, `Used` are the services of all commands.
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
      running = new RunningCommand(known, caller, command.timeLimit === "none" ? null : deadlines);
      if (command.prerequisite !== undefined) await running.within(command.prerequisite(services));
      const input = validate(command.input, payloadOf(request));
      if (command.answerBytes !== undefined) part = await budget.take(command.answerBytes, running);
      const output = await running.within(
        command.run(input, services, { requester: running, describe, registry, tokenId: caller.tokenId }),
      );
      // Subscribed synchronously: the caller receives all events after this response.
      if (command.topics !== undefined) caller.listen?.(command.topics(output));
      // Responses in the budget are streamed, so that their memory is released when they are sent.
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

/** The JSON text of an output that is streamed; `null` for a plain value. */
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
    throw new AppError("UNKNOWN_COMMAND", `"${name}" is a connection command; send it over the WebSocket at /ws.`);
  }
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  const suggestion = nearest(name, registry.keys());
  throw new AppError("UNKNOWN_COMMAND", `Unknown command "${shown}". Did you mean "${suggestion}"?`);
}

function checkAccess(name: string, command: CommandAccess & Pick<Command, "shows">, caller: Caller): void {
  if (caller.scope === null) throw unauthorized(caller);
  if (command.access === "control") checkControl(`"${name}" controls ${command.controls}`, caller);
  if (caller.scope === "read" && command.access === "write") {
    const message =
      command.shows === undefined
        ? `"${name}" makes changes, which a token of scope "read" does not allow.`
        : `"${name}" may show ${command.shows} and requires a token of scope "full"; this one has scope "read".`;
    throw new AppError("FORBIDDEN", message);
  }
}

/** The reason with which a transport aborts the signal of a caller whose connection was closed. */
export function clientGone(): AppError {
  return new AppError("UNAVAILABLE", "The client disconnected before the response was ready.");
}

/** The error for a caller who must authenticate first. */
export function unauthorized({ doubt }: Pick<Caller, "doubt">): AppError {
  const who = doubt === undefined ? "A client on another machine" : "This client";
  const needs = `${who} requires an API token. Send it as "Authorization: Bearer <API_TOKEN>".`;
  return new AppError("UNAUTHORIZED", doubt === undefined ? needs : `${needs} ${doubt}`);
}
