import { currentPlatform, dataDirectory, readSettings } from "@sm/server/early";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import type { Connection, ConnectOptions } from "./connection.ts";
import { findRunningServer } from "./running-server.ts";

/** Connects to the given server, else to the one that uses the data directory, else opens the library. */
export async function connect(options: ConnectOptions, shell: Shell, env: NodeJS.ProcessEnv): Promise<Connection> {
  const { flags, server, token, only } = options;
  // Loaded on demand: a call to a running server takes a tenth of a second, half of it loading.
  if (only === "library") {
    if (server !== null)
      throw new CliError(EXIT.usage, "The vault is copied on the machine of its data directory, not with --server.");
    return (await import("./local.ts")).openLocal(readSettings(flags, env), shell);
  }
  if (server !== null) return (await import("./remote.ts")).openRemote(readAddress(server), token);
  const settings = readSettings(flags, env);
  if (only === "tokens") return (await import("./local.ts")).openTokens(settings, shell);
  const running = await findRunningServer(dataDirectory(settings, currentPlatform()));
  // A server that listens on a network address only requires a token from local clients too.
  if (running !== null) return (await import("./remote.ts")).openRemote(running.url, token ?? running.token);
  if (only === "server") {
    throw new CliError(EXIT.unavailable, "Agents and terminals need a running server: start one with session-cli.");
  }
  return (await import("./local.ts")).openLocal(settings, shell);
}

function readAddress(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new CliError(EXIT.usage, `"${text}" is not a server address. Example: http://192.168.0.5:52131.`);
}
