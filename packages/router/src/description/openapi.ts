import type { CommandAccess, Registry } from "../command.ts";
import { type CommandReference, describeCommands, describeConnectionCommands, isOptional } from "./commands.ts";
import { codesByStatus } from "./errors.ts";
import { describeEvents } from "./events.ts";
import { outputSchema, reference, type Schema, sharedSchemas } from "./json-schema.ts";
import { failureResponse, failures, object, success } from "./openapi-parts.ts";
import { otherPaths } from "./openapi-routes.ts";

export interface OpenApiOptions {
  /** Base URL of the paths, absolute or relative to the document; default: the default address of a service. */
  server?: string;
}

const DEFAULT_SERVER = "http://127.0.0.1:52131";

/** Description of each access level. */
const ACCESS: Record<CommandAccess["access"], string> = {
  read: "Makes no changes; allowed with every token.",
  write: "Makes changes or shows secrets; not allowed with tokens of scope `read`.",
  control:
    "Runs programs on the machine of the service, now or later, or grants rights. For clients on that machine and for tokens " +
    "of scope `full`, also where `auth_enabled` is false.",
};

/**
 * Creates the OpenAPI 3.1 description of a service with the commands of `registry`. OpenAPI distinguishes operations by
 * path, so each command is described as `POST /api/commands/{command}`.
 */
export function openApiDocument(registry: Registry<never>, { server = DEFAULT_SERVER }: OpenApiOptions = {}): object {
  const commands = describeCommands(registry);
  return {
    openapi: "3.1.0",
    info: {
      title: "Session Manager",
      version: "1",
      summary: "Finds, reads, searches, exports and analyses the sessions of a coding agent.",
      description:
        "Every command is a separate operation: the payload is the body of `POST /api/commands/{command}`, the response " +
        "is `{success, data, error}`. `POST /api` and the WebSocket at `/ws` accept `{command, payload}`. " +
        "Version 1 of the API may add fields, but does not remove or change them.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: server }],
    tags: Object.entries(ACCESS).map(([name, description]) => ({ name, description })),
    // The empty one: local clients need no token.
    security: [{}, { bearer: [] }, { query: [] }],
    paths: {
      ...Object.fromEntries(commands.map((command) => [`/api/commands/${command.name}`, commandPath(command)])),
      ...otherPaths(commands),
    },
    components: {
      schemas: schemas(commands),
      parameters: {
        AfterSeq: {
          name: "after_seq",
          in: "query",
          description: "Replays the events after this number, as far as they are still kept.",
          schema: { type: "integer", minimum: 0 },
        },
      },
      headers: { Version: { description: "The service's version.", schema: { type: "string" } } },
      responses: Object.fromEntries(
        codesByStatus().map(([status, codes]) => [`Failure${status}`, failureResponse(status, codes)]),
      ),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API token, which `create_token` makes." },
        query: { type: "apiKey", in: "query", name: "token", description: "For links, which cannot carry a header." },
      },
    },
  };
}

function commandPath({ name, typeName, summary, access, payload, example }: CommandReference): object {
  const content = { schema: reference(`${typeName}Payload`), ...(example === undefined ? {} : { example }) };
  return {
    post: {
      operationId: name,
      summary,
      tags: [access],
      requestBody: { required: !isOptional(payload), content: { "application/json": content } },
      responses: {
        200: success("The result.", { "application/json": { schema: reference(`${typeName}Response`) } }),
        ...failures(),
      },
    },
  };
}

function schemas(commands: readonly CommandReference[]): Record<string, Schema> {
  const all = [...commands, ...describeConnectionCommands()];
  const events = describeEvents().map(({ name, summary, payload }) => {
    const properties = { event: { const: name }, seq: { type: "integer" }, payload: outputSchema(payload) };
    return { description: summary, ...object(properties) };
  });
  return {
    ...sharedSchemas(),
    Health: object(
      {
        status: { type: "string", enum: ["ok", "starting", "degraded"] },
        reason: {
          type: "string",
          description: "If the status is not ok; general if a token is required and none was sent.",
        },
        version: { type: "string" },
        api_version: { const: 1 },
        kind: {
          type: "string",
          enum: ["home", "hub"],
          description: "Whether it serves the sessions of its machine, or what machines have sent to a hub.",
        },
        uptime_s: { type: "number" },
        index: object({
          state: { type: "string" },
          sessions: { type: "integer" },
          pending: { type: "integer", description: "Files still to be indexed." },
          skipped_files: { type: "integer", description: "Files that are empty, or of a format that is not known." },
        }),
        proof: { type: "string", description: "If a nonce was sent." },
      },
      ["reason", "proof"],
    ),
    Success: object({ success: { const: true }, data: {}, error: { type: "null" } }),
    Failure: object({ success: { const: false }, data: { type: "null" }, error: reference("Error") }),
    Event: { oneOf: events },
    SocketRequest: {
      oneOf: all.map(socketRequest),
      description: "May have an `id`, a string or a number.",
    },
    SocketResponse: {
      anyOf: [...all.map(({ typeName }) => reference(`${typeName}Response`)), reference("Failure")],
      description: "Repeats the `command` and `id` of its request.",
    },
    ...Object.fromEntries(all.flatMap(exchangeSchemas)),
  };
}

function exchangeSchemas({ typeName, payload, result }: CommandReference): [string, Schema][] {
  return [
    [`${typeName}Payload`, isOptional(payload) ? { ...payload, type: ["object", "null"] } : payload],
    [`${typeName}Result`, result],
    [
      `${typeName}Response`,
      object({ success: { const: true }, data: reference(`${typeName}Result`), error: { type: "null" } }),
    ],
  ];
}

function socketRequest({ name, typeName, summary, payload }: CommandReference): Schema {
  const fields = { command: { const: name }, payload: reference(`${typeName}Payload`) };
  return { description: summary, ...object(fields, isOptional(payload) ? ["payload"] : []) };
}
