export { createHttpApp, type HttpEnv } from "./app.ts";
export type { AnsweredRequest, HttpLimits, HttpOptions, Mount } from "./options.ts";
export { type HttpServer, serveHttp } from "./server.ts";
export { openWebFiles, type WebFiles } from "./web-files.ts";
