import type { HttpOptions } from "./options.ts";

/** Path of the WebSocket transport; ordinary requests get an error that explains how to upgrade. */
export const WEBSOCKET_PATH = "/ws";

/** A single command, with its payload as the body. */
export const COMMAND_PATH = "/api/commands/:name";

/** OpenAPI description of the commands. */
export const OPENAPI_PATH = "/api/openapi.json";

const GET = "GET, HEAD";
const COMMANDS = COMMAND_PATH.slice(0, COMMAND_PATH.indexOf(":"));

/** Paths of a service, each with its methods as listed in `Allow`. */
export function routesOf({ mounts = {}, metrics, onUpgrade, openApi }: HttpOptions): ReadonlyMap<string, string> {
  return new Map([
    ["/", GET],
    ["/api", "POST"],
    [COMMAND_PATH, "POST"],
    ...(openApi === undefined ? [] : [[OPENAPI_PATH, GET] as const]),
    ["/api/export", GET],
    ["/health", GET],
    ...(metrics === undefined ? [] : [["/metrics", GET] as const]),
    ...(onUpgrade === undefined ? [] : [[WEBSOCKET_PATH, GET] as const]),
    ...Object.keys(mounts).map((path) => [path, GET] as const),
  ]);
}

/** The route of a path: the path itself, or the common route of all commands. */
export function routeOf(path: string): string {
  const isCommand = path.startsWith(COMMANDS) && path.length > COMMANDS.length && !path.includes("/", COMMANDS.length);
  return isCommand ? COMMAND_PATH : path;
}
