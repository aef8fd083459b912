import { AppError } from "@sm/core";
import {
  type Caller,
  type CommandInput,
  type CommandName,
  type CommandOutput,
  type Dispatcher,
  StreamedJson,
} from "@sm/router";

/** Runs a command of the service by name; rejects with an error that has a `code` and a `message` for the caller. */
export type SendCommand = (command: string, payload: unknown) => Promise<unknown>;

/** Sends commands to a dispatcher in the name of a caller, whose scope it checks. */
export function commandsOf(dispatcher: Dispatcher, caller: Caller): SendCommand {
  return async (command, payload) => {
    const { data, error } = await dispatcher.dispatch({ command, payload }, caller);
    if (error !== null) throw new AppError(error.code, error.message, { details: error.details });
    return data instanceof StreamedJson ? data.collect() : data;
  };
}

/** Runs a command with its types. */
export async function call<Name extends CommandName>(
  send: SendCommand,
  command: Name,
  payload: CommandInput<Name>,
): Promise<CommandOutput<Name>> {
  // The response of a command has that command's output type.
  return (await send(command, payload)) as CommandOutput<Name>;
}
