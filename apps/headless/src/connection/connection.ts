import type { CommandInput, CommandName, CommandOutput } from "@sm/router";
import type { EventStream, EventsOptions } from "@sm/router/client";
import type { Flags } from "@sm/server/early";

/** A way to the commands: a server, or the library in this process. */
export interface Connection {
  /** Runs a command of any name. Rejects with an error that has the code of the answer. */
  send(command: string, payload: unknown): Promise<unknown>;
  /** Opens what `GET /api/export` answers to this query. Rejects as `send` does. */
  download(query: URLSearchParams): Promise<Download>;
  /** Follows push events, until the stream or the connection is closed. Only a server has any. */
  events(options: EventsOptions): EventStream;
  close(): Promise<void>;
}

export interface Download {
  /** As the service names it; to be made safe before a file is called so. */
  fileName: string;
  chunks: AsyncIterable<Uint8Array>;
}

/** Where commands are to be sent to. */
export interface ConnectOptions {
  flags: Flags;
  /** `null`: the server that runs, else the library. */
  server: string | null;
  token: string | null;
  /**
   * `tokens`: the commands will be about API tokens, which need neither a running server nor the library. `server`:
   * they will be about what only a running server has.
   */
  only: "tokens" | "server" | null;
}

/** Runs a command of the service, with its types. */
export async function call<Name extends CommandName>(
  connection: Pick<Connection, "send">,
  command: Name,
  payload: CommandInput<Name>,
): Promise<CommandOutput<Name>> {
  // The service answers a command with that command's output.
  return (await connection.send(command, payload)) as CommandOutput<Name>;
}
