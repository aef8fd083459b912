export type { Command, DescribeError } from "./command.ts";
export { type Caller, createDispatcher, type Dispatcher, type DispatcherOptions, unauthorized } from "./dispatcher.ts";
export { openExport } from "./export-download.ts";
export { createRegistry, type Registry, registry } from "./registry.ts";
export { type CommandResponse, type DispatchLog, type ErrorBody, errorBody, failure, statusOf } from "./response.ts";
export type { Services } from "./services.ts";
