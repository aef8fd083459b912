/// <reference types="node" preserve="true" />
export type { ConnectionLimits, RefusedConnection } from "./connection-limits.ts";
export type { AnsweredRequest, HttpLimits, HttpOptions, Mount, PostMount } from "./options.ts";
export { type HttpServer, serveHttp, serveUnixSocket } from "./server.ts";
export { openWebFiles, type WebFiles } from "./web-files.ts";
