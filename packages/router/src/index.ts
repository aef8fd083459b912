export { invalidPayload, validate } from "@sm/core/input";
export { AnswerBudget, type AnswerBudgetOptions, type AnswerPart } from "./answer-budget.ts";
export type { Caller } from "./caller.ts";
export { type Command, type CommandContext, command, type DescribeError, type Registry } from "./command.ts";
export { type ConnectionCommandName, connectionCommands } from "./connection-commands.ts";
export { checkTopics } from "./control.ts";
export {
  type AnsweredCommand,
  clientGone,
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  unauthorized,
} from "./dispatcher.ts";
export {
  describeExport,
  downloadBytes,
  type ExportDownload,
  type ExportSources,
  openExport,
} from "./export-download.ts";
export { createExportTickets, type PreparedExports } from "./export-tickets.ts";
export { type JsonPiece, JsonText, jsonArray } from "./json-text.ts";
export type { PushDevice, PushService, PushSubscriptionData } from "./push.ts";
export {
  type CommandInput,
  type CommandName,
  type CommandOutput,
  type Commands,
  commands,
  createRegistry,
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
export { responseHeaders } from "./response-headers.ts";
export { NO_RETENTION, type RetentionRule, type RetentionService } from "./retention.ts";
export { errorSchema } from "./schema/error.ts";
export { agentRecord, liveSession, liveState } from "./schema/live-session.ts";
export { sessionRecord } from "./schema/session-record.ts";
export { terminalExit } from "./schema/terminal.ts";
export type { ConfigDifference, ConfigOverride, ConfigurationService, ExportTickets, Services } from "./services.ts";
export {
  type Audience,
  type HubRole,
  type HubUserSummary,
  NO_SHARED_PROJECTS,
  type ReadsOptions,
  type SessionRead,
  type SharedProject,
  type SharedProjectService,
  type ShareProjectOptions,
  type UnshareProjectOptions,
} from "./shared-projects.ts";
export type { SharedPage, ShareOptions, ShareRecord, ShareService, SharingProblem } from "./shares.ts";
export { StreamedJson } from "./streamed-json.ts";
