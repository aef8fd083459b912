import type { HttpOptions } from "./options.ts";

/** Where the WebSocket transport is; as an ordinary request it is answered with what is missing. */
export const WEBSOCKET_PATH = "/ws";

const GET = "GET, HEAD";

/** Lists the paths of a service, each with the methods that it takes, as `Allow` names them. */
export function routesOf({ mounts = {}, metrics, onUpgrade }: HttpOptions): ReadonlyMap<string, string> {
  return new Map([
    ["/", GET],
    ["/api", "POST"],
    ["/api/export", GET],
    ["/health", GET],
    ...(metrics === undefined ? [] : [["/metrics", GET] as const]),
    ...(onUpgrade === undefined ? [] : [[WEBSOCKET_PATH, GET] as const]),
    ...Object.keys(mounts).map((path) => [path, GET] as const),
  ]);
}
