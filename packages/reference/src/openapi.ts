import type { ErrorCode } from "@sm/core";
import { type CommandReference, describeCommands, describeConnectionCommands } from "./commands.ts";
import { codesByStatus, ERROR_MEANINGS } from "./errors.ts";
import { describeEvents } from "./events.ts";
import { outputSchema, reference, type Schema, sharedSchemas } from "./schema.ts";

const VERSION_HEADER = { "X-Session-Manager-Version": { $ref: "#/components/headers/Version" } };

const AFTER_SEQ = { $ref: "#/components/parameters/AfterSeq" };

/** Makes the OpenAPI 3.1 description of the service from the registry. */
export function openApiDocument(): object {
  const commands = describeCommands();
  return {
    openapi: "3.1.0",
    info: {
      title: "Session Manager",
      version: "1",
      summary: "Finds, reads, searches, exports and measures the sessions of a coding agent.",
      description:
        "Everything is a command: `{command, payload}` as POST /api or as a message of the WebSocket at /ws, answered " +
        "by `{success, data, error}`. Within version 1 of the API fields are only added.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:52131" }],
    // The first: clients on the same machine need none.
    security: [{}, { bearer: [] }, { query: [] }],
    paths: {
      "/api": { post: commandOperation(commands) },
      "/api/events": { get: eventsOperation() },
      "/api/export": { get: exportOperation(commands) },
      "/ws": { get: webSocketOperation() },
      "/health": { get: healthOperation() },
      "/metrics": { get: metricsOperation() },
    },
    components: {
      schemas: schemas(commands),
      parameters: {
        AfterSeq: {
          name: "after_seq",
          in: "query",
          description: "Replays the events after this number, as far as they are still there.",
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

function commandOperation(commands: CommandReference[]): object {
  const mapping = commands.map(({ name, typeName }) => [name, reference(`${typeName}Request`).$ref]);
  const examples = commands.map(({ name, summary, example }) => {
    return [name, { summary, value: { command: name, payload: example } }];
  });
  return {
    operationId: "runCommand",
    summary: "Runs a command.",
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            oneOf: commands.map(({ typeName }) => reference(`${typeName}Request`)),
            discriminator: { propertyName: "command", mapping: Object.fromEntries(mapping) },
          },
          examples: Object.fromEntries(examples),
        },
      },
    },
    responses: {
      200: success("The command's result, by the command that was sent.", {
        "application/json": { schema: { anyOf: commands.map(({ typeName }) => reference(`${typeName}Response`)) } },
      }),
      ...failures(),
    },
  };
}

function eventsOperation(): object {
  return {
    operationId: "followEvents",
    summary: "Streams push events (server-sent events).",
    description: "`event` is the name of an event, `id` its number, `data` its payload as one line of JSON.",
    parameters: [
      {
        name: "topics",
        in: "query",
        style: "form",
        explode: false,
        description: "`sessions`, `index`, `config` and `live` if absent; `live:<session_id>`, `terminal:<id>`.",
        schema: { type: "array", items: { type: "string" } },
      },
      AFTER_SEQ,
      {
        name: "Last-Event-ID",
        in: "header",
        description: "As `after_seq`; browsers send it when they connect again.",
        schema: { type: "integer", minimum: 0 },
      },
    ],
    responses: {
      200: success("A stream that ends with the connection.", { "text/event-stream": { schema: { type: "string" } } }),
      ...failures(400, 401, 403, 429, 503),
    },
  };
}

function exportOperation(commands: CommandReference[]): object {
  const fields = commands.find(({ name }) => name === "export_session")?.payload;
  const parameters = Object.entries(fields?.properties ?? {}).map(([name, { description, ...schema }]) => {
    const isRequired = fields?.required?.includes(name) === true;
    const words = [description, isRequired ? "Required without a ticket." : undefined].filter(Boolean).join(" ");
    return {
      name,
      in: "query",
      ...(words === "" ? {} : { description: words }),
      schema: name === "format" ? { ...schema, enum: [...(schema.enum ?? []), "jsonl"] } : schema,
    };
  });
  const ticket = {
    name: "ticket",
    in: "query",
    description: "From `export_sessions`: stands for all that was asked for there, once. Nothing goes with it.",
    schema: { type: "string" },
  };
  const disposition = {
    name: "disposition",
    in: "query",
    description:
      "`inline` is for format `html`: a browser shows the page, in a sandbox, where it would save it otherwise.",
    schema: { type: "string", enum: ["attachment", "inline"], default: "attachment" },
  };
  return {
    operationId: "downloadExport",
    summary: "Downloads what `export_session` answers, piece by piece, or what `export_sessions` has prepared.",
    description: "`jsonl` is the file of the session itself. HEAD does not use a ticket up.",
    parameters: [...parameters, disposition, ticket],
    responses: {
      200: success("The export, as a download.", {
        "text/html": { schema: { type: "string" } },
        "text/markdown": { schema: { type: "string" } },
        "application/json": { schema: { type: "object" } },
        "application/x-ndjson": { schema: { type: "string" } },
        "application/zip": { schema: { type: "string", format: "binary" } },
      }),
      ...failures(),
    },
  };
}

function webSocketOperation(): object {
  const names = describeConnectionCommands().map(({ name }) => `\`${name}\``);
  return {
    operationId: "connect",
    summary: "Opens a WebSocket for commands and push events.",
    description:
      "Messages are JSON: SocketRequest to the service, SocketResponse and Event from it. Every command of POST /api " +
      `is one here too, and ${names.join(", ")} are about the connection. A request's \`id\` comes back with its ` +
      "response; those without one are answered in order. A connection that needs a token and shows none within 10 " +
      "seconds is closed with 4401, and so is one whose token ends.",
    parameters: [AFTER_SEQ],
    responses: { 101: { description: "The connection is a WebSocket now." }, ...failures(401, 403, 429, 503) },
  };
}

function healthOperation(): object {
  const content = { "application/json": { schema: reference("Health") } };
  return {
    operationId: "checkHealth",
    summary: "Tells how the service is; needs no token.",
    security: [{}],
    responses: {
      200: success("It works.", content),
      503: success("It is starting, or something is wrong; `reason` says what.", content),
      ...failures(403),
    },
  };
}

function metricsOperation(): object {
  return {
    operationId: "readMetrics",
    summary: "Measures of the service, as Prometheus text.",
    responses: {
      200: success("The measures.", { "text/plain": { schema: { type: "string" } } }),
      ...failures(401, 403, 429),
    },
  };
}

function success(description: string, content: object): object {
  return { description, headers: VERSION_HEADER, content };
}

function failures(...statuses: number[]): Record<string, object> {
  const all = codesByStatus().map(([status]) => status);
  const named = statuses.length === 0 ? all : all.filter((status) => statuses.includes(status));
  return Object.fromEntries(named.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]));
}

function failureResponse(status: number, codes: ErrorCode[]): object {
  const meanings = codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`);
  const challenge = { "WWW-Authenticate": { schema: { type: "string" } } };
  return {
    description: meanings.join("\n\n"),
    headers: { ...VERSION_HEADER, ...(status === 401 ? challenge : {}) },
    content: { "application/json": { schema: reference("Failure") } },
  };
}

function schemas(commands: CommandReference[]): Record<string, Schema> {
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
          description: "Where the status is not ok; general where a token is needed and none is sent.",
        },
        version: { type: "string" },
        api_version: { const: 1 },
        uptime_s: { type: "number" },
        index: object({
          state: { type: "string" },
          sessions: { type: "integer" },
          pending: { type: "integer", description: "Files that are still to be read." },
        }),
      },
      ["reason"],
    ),
    Failure: object({ success: { const: false }, data: { type: "null" }, error: reference("Error") }),
    Event: { oneOf: events },
    SocketRequest: {
      oneOf: all.map(({ typeName }) => reference(`${typeName}Request`)),
      description: "May have an `id`, a string or a number.",
    },
    SocketResponse: {
      anyOf: [...all.map(({ typeName }) => reference(`${typeName}Response`)), reference("Failure")],
      description: "Has the `command` of its request too, and its `id`.",
    },
    ...Object.fromEntries(all.flatMap(exchangeSchemas)),
  };
}

function exchangeSchemas({ name, typeName, summary, payload, result }: CommandReference): [string, Schema][] {
  const command = { const: name };
  const request =
    payload.required === undefined
      ? object({ command, payload: { ...payload, type: ["object", "null"] } }, ["payload"])
      : object({ command, payload });
  const response = object({ success: { const: true }, data: result, error: { type: "null" } });
  return [
    [`${typeName}Request`, { description: summary, ...request }],
    [`${typeName}Response`, response],
  ];
}

function object(properties: Record<string, Schema>, optional: string[] = []): Schema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}
