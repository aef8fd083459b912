import type { VaultCopy } from "@sm/core";
import type { CommandInput, CommandName, CommandOutput } from "@sm/router";
import type { EventStream, EventsOptions } from "@sm/router/client";
import type { Flags } from "@sm/server/early";

/** Access to the commands: a server, or the library in this process. */
export interface Connection {
  /** Runs a command by name. Rejects with an error that has the response's code. */
  send(command: string, payload: unknown): Promise<unknown>;
  /** Opens a `GET /api/export` query. Rejects like `send`. */
  download(query: URLSearchParams): Promise<Download>;
  /** Follows push events until the stream or the connection is closed. Servers only. */
  events(options: EventsOptions): EventStream;
  /** Tells how far verifications of the vault are, until the connection is closed. */
  followVerification(onProgress: VerificationProgress): void;
  /** Copies the vault to or from a directory of this machine. The library only. */
  copyVault(direction: "export" | "import", directory: string): Promise<VaultCopy>;
  close(): Promise<void>;
}

/** Called with how many parts were checked, of how many. */
export type VerificationProgress = (checked: number, total: number) => void;

export interface Download {
  /** As suggested by the service; must be sanitized before use. */
  fileName: string;
  chunks: AsyncIterable<Uint8Array>;
}

/** Where to send commands. */
export interface ConnectOptions {
  flags: Flags;
  /** `null`: the running server, else the library. */
  server: string | null;
  token: string | null;
  /**
   * `tokens`: only API tokens, which need neither a running server nor the library. `server`: only available on a
   * running server. `library`: the library even if a server runs.
   */
  only: "tokens" | "server" | "library" | null;
}

/** Runs a command of the service with its types. */
export async function call<Name extends CommandName>(
  connection: Pick<Connection, "send">,
  command: Name,
  payload: CommandInput<Name>,
): Promise<CommandOutput<Name>> {
  // The response of a command has that command's output type.
  return (await connection.send(command, payload)) as CommandOutput<Name>;
}
