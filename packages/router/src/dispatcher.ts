import { AppError, type ErrorCode, isJsonObject, nearest, type TokenScope } from "@sm/core";
import type { Command } from "./command.ts";
import { connectionCommands } from "./connection-commands.ts";
import { checkControl } from "./control.ts";
import { Deadlines } from "./deadlines.ts";
import type { Topic } from "./events/event.ts";
import { registry as everyCommand, type Registry } from "./registry.ts";
import { type CommandResponse, type DispatchLog, errorBody, failure } from "./response.ts";
import type { Services } from "./services.ts";
import { StreamedArray } from "./streamed-array.ts";
import { validate } from "./validate.ts";

/** Who sends a request, as a transport found out. */
export interface Caller {
  /** On the same machine. */
  local: boolean;
  /** `null`: not authenticated. */
  scope: TokenScope | null;
  /** The token that they came in with, `null` where none was needed. */
  tokenId: string | null;
  /** Turns on push events of these topics, where the connection has any. */
  listen?(topics: readonly Topic[]): void;
}

/** The one way from a request to its answer, for every transport. */
export interface Dispatcher {
  /** Answers a decoded request. Never throws and never rejects. */
  dispatch(request: unknown, caller: Caller): Promise<CommandResponse>;
}

export interface DispatcherOptions {
  log: DispatchLog;
  /** Milliseconds until a command is answered with `TIMEOUT`; 120,000 if absent. */
  timeoutMs?: number;
  /** Every command of the service if absent. */
  registry?: Registry;
  /** Is told of every request that was answered. Must not throw. */
  onCommand?: (done: AnsweredCommand) => void;
}

/** A request that was answered. Its name and code come from closed sets, whatever a client sends. */
export interface AnsweredCommand {
  /** `unknown` where the registry has no such command. */
  command: string;
  code: ErrorCode | "OK";
  seconds: number;
}

const TIMEOUT_MS = 120_000;

/** Makes the dispatcher that runs commands on `services`. */
export function createDispatcher(services: Services, options: DispatcherOptions): Dispatcher {
  const { log, timeoutMs = TIMEOUT_MS, registry = everyCommand, onCommand } = options;
  const deadlines = new Deadlines(timeoutMs);

  async function answer(request: unknown, caller: Caller): Promise<CommandResponse> {
    let name: string | null = null;
    const describe = (error: unknown) => errorBody(error, log, { command: name });
    try {
      const known = commandName(request);
      name = known;
      const command = findCommand(known, registry);
      checkAccess(known, command, caller);
      const within = <Result>(work: Promise<Result>) => deadlines.within(work, known);
      if (command.prerequisite !== undefined) await within(command.prerequisite(services));
      const input = validate(command.input, payloadOf(request));
      const output = await within(command.run(input, services, describe));
      // Before anything else can happen: what comes after this answer is told to the caller.
      if (command.topics !== undefined) caller.listen?.(command.topics(output));
      const data = isAsyncIterable(output) ? await StreamedArray.open(output, within) : output;
      return { success: true, data, error: null };
    } catch (error) {
      return failure(describe(error));
    }
  }

  return {
    async dispatch(request, caller) {
      const started = performance.now();
      const response = await answer(request, caller);
      const seconds = (performance.now() - started) / 1_000;
      onCommand?.({ command: knownName(request, registry), code: response.error?.code ?? "OK", seconds });
      return response;
    },
  };
}

function knownName(request: unknown, registry: Registry): string {
  const name = isJsonObject(request) ? request.command : null;
  return typeof name === "string" && registry.has(name) ? name : "unknown";
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

function findCommand(name: string, registry: Registry): Command {
  const command = registry.get(name);
  if (command !== undefined) return command;
  if (Object.hasOwn(connectionCommands, name)) {
    throw new AppError("UNKNOWN_COMMAND", `"${name}" is about a WebSocket connection; send it over one, at /ws.`);
  }
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  const suggestion = nearest(name, registry.keys());
  throw new AppError("UNKNOWN_COMMAND", `There is no command "${shown}"; the nearest is "${suggestion}".`);
}

function checkAccess(name: string, command: Command, caller: Caller): void {
  if (caller.scope === null) throw unauthorized();
  if (command.access === "control") checkControl(`"${name}"`, caller);
  if (caller.scope === "read" && command.access === "write") {
    const message =
      command.shows === undefined
        ? `"${name}" changes something, which a token of scope "read" may not do.`
        : `"${name}" may show ${command.shows}, which a token of scope "read" may not see; use one of scope "full".`;
    throw new AppError("FORBIDDEN", message);
  }
}

/** Makes the error for a caller who has to say who they are first. */
export function unauthorized(): AppError {
  return new AppError(
    "UNAUTHORIZED",
    'A client on another machine needs an API token: send it as "Authorization: Bearer <API_TOKEN>".',
  );
}
