import type { HttpOptions } from "./options.ts";

/** Where the WebSocket transport is; as an ordinary request it is answered with what is missing. */
export const WEBSOCKET_PATH = "/ws";

/** One command, with its payload as the body. */
export const COMMAND_PATH = "/api/commands/:name";

/** Describes the commands. */
export const OPENAPI_PATH = "/api/openapi.json";

const GET = "GET, HEAD";
const COMMANDS = COMMAND_PATH.slice(0, COMMAND_PATH.indexOf(":"));

/** Lists the paths of a service, each with the methods that it takes, as `Allow` names them. */
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

/** Names the route of a path: itself, or the one of all commands. */
export function routeOf(path: string): string {
  const isCommand = path.startsWith(COMMANDS) && path.length > COMMANDS.length && !path.includes("/", COMMANDS.length);
  return isCommand ? COMMAND_PATH : path;
}
