export { createHttpApp, type HttpEnv } from "./app.ts";
export type { HttpLimits, HttpOptions } from "./options.ts";
export { type HttpServer, serveHttp } from "./server.ts";
