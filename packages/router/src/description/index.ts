export { type CommandReference, describeCommands, describeConnectionCommands } from "./commands.ts";
export { codesByStatus, ERROR_MEANINGS } from "./errors.ts";
export { describeEvents, type EventReference } from "./events.ts";
export { documentSchema, outputSchema, type Schema, sharedSchemas } from "./json-schema.ts";
export { type OpenApiOptions, openApiDocument } from "./openapi.ts";
