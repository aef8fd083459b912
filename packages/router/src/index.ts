export type { Command, DescribeError } from "./command.ts";
export { type ConnectionCommandName, connectionCommands } from "./connection-commands.ts";
export { checkTopics } from "./control.ts";
export {
  type AnsweredCommand,
  type Caller,
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  unauthorized,
} from "./dispatcher.ts";
export { describeExport, type ExportDownload, type ExportSources, openExport } from "./export-download.ts";
export {
  type CommandInput,
  type CommandName,
  type CommandOutput,
  type Commands,
  createRegistry,
  type Registry,
  registry,
} from "./registry.ts";
export {
  type CommandResponse,
  type DispatchLog,
  type ErrorBody,
  encodeResponse,
  errorBody,
  failure,
  retryAfter,
  statusOf,
} from "./response.ts";
export { errorSchema } from "./schema/error.ts";
export { agentRecord, liveSession, liveState } from "./schema/live-session.ts";
export { sessionRecord } from "./schema/session-record.ts";
export { terminalExit } from "./schema/terminal.ts";
export type { ConfigDifference, ConfigurationService, ExportTickets, Services } from "./services.ts";
export { StreamedArray } from "./streamed-array.ts";
export { invalidPayload, validate } from "./validate.ts";
