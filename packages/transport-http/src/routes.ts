import type { HttpOptions } from "./options.ts";

/** Path of the WebSocket transport; ordinary requests get an error that explains how to upgrade. */
export const WEBSOCKET_PATH = "/ws";

/** A single command, with its payload as the body. */
export const COMMAND_PATH = "/api/commands/:name";

/** OpenAPI description of the commands. */
export const OPENAPI_PATH = "/api/openapi.json";

/** The page of a link; what opens it is the last part of its path. */
export const SHARE_PATH = "/share/:secret";

/** Where machines send what is new, if this is a hub. */
export const HUB_PATH = "/api/hub";

/** Where a browser begins to sign in with a provider. */
export const SIGN_IN_PATH = "/auth/sign-in";

/** Where the provider sends it back to: the redirect URI. */
export const SIGNED_IN_PATH = "/auth/callback";

/** Ends the token that somebody has signed in with. */
export const SIGN_OUT_PATH = "/auth/sign-out";

/** Where the provider sends a browser to that has signed out there. */
export const SIGNED_OUT_PATH = "/auth/signed-out";

const GET = "GET, HEAD";
/** Paths with a part that is not theirs alone. */
const PATTERNS = [COMMAND_PATH, SHARE_PATH].map((route) => ({ route, start: route.slice(0, route.indexOf(":")) }));

/** Paths of a service, each with its methods as listed in `Allow`. */
export function routesOf(options: HttpOptions): ReadonlyMap<string, string> {
  const { mounts = {}, postMounts = {}, metrics, onUpgrade, openApi, shares, signIn } = options;
  return new Map([
    ["/", GET],
    ["/api", "POST"],
    [COMMAND_PATH, "POST"],
    ...(openApi === undefined ? [] : [[OPENAPI_PATH, GET] as const]),
    ["/api/export", GET],
    [HUB_PATH, "POST"],
    ...(shares === undefined ? [] : [[SHARE_PATH, GET] as const]),
    ...(signIn === undefined
      ? []
      : ([
          [SIGN_IN_PATH, GET],
          [SIGNED_IN_PATH, GET],
          [SIGNED_OUT_PATH, GET],
          [SIGN_OUT_PATH, "POST"],
        ] as const)),
    ["/health", GET],
    ...(metrics === undefined ? [] : [["/metrics", GET] as const]),
    ...(onUpgrade === undefined ? [] : [[WEBSOCKET_PATH, GET] as const]),
    ...Object.keys(mounts).map((path) => [path, GET] as const),
    ...Object.keys(postMounts).map((path) => [path, "POST"] as const),
  ]);
}

/** The route of a path: the path itself, or the common route of all commands, or of all links. */
export function routeOf(path: string): string {
  const found = PATTERNS.find(
    ({ start }) => path.startsWith(start) && path.length > start.length && !path.includes("/", start.length),
  );
  return found?.route ?? path;
}
