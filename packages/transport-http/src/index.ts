/// <reference types="node" preserve="true" />
export type { ConnectionLimits, RefusedConnection } from "./connection-limits.ts";
export type { AnsweredRequest, HttpLimits, HttpOptions, Mount, PostMount } from "./options.ts";
export { SIGN_IN_PATH, SIGNED_IN_PATH, SIGNED_OUT_PATH } from "./routes.ts";
export { type HttpServer, serveHttp, serveUnixSocket } from "./server.ts";
export type { SignIn } from "./sign-in-provider.ts";
export { openWebFiles, type WebFiles } from "./web-files.ts";
