import { type CommandReference, describeConnectionCommands } from "./commands.ts";
import { reference } from "./json-schema.ts";
import { failures, object, success } from "./openapi-parts.ts";

const AFTER_SEQ = { $ref: "#/components/parameters/AfterSeq" };

/** Describes the routes that are about no single command. */
export function otherPaths(commands: readonly CommandReference[]): Record<string, object> {
  return {
    "/api": { post: anyCommandOperation(commands) },
    "/api/openapi.json": { get: descriptionOperation() },
    "/api/events": { get: eventsOperation() },
    "/api/export": { get: exportOperation(commands) },
    "/ws": { get: webSocketOperation() },
    "/health": { get: healthOperation() },
    "/metrics": { get: metricsOperation() },
  };
}

function anyCommandOperation(commands: readonly CommandReference[]): object {
  return {
    operationId: "runCommand",
    summary: "Runs the command that the request names.",
    description:
      "The same as `POST /api/commands/{command}` with the payload as the body: the answers are equal to the byte, and " +
      "the schemas of payload and result are those of that operation.",
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: object(
            {
              command: { type: "string", enum: commands.map(({ name }) => name) },
              payload: { type: ["object", "null"], description: "May be left out where no field is required." },
            },
            ["payload"],
          ),
          example: { command: "list_sessions", payload: { limit: 10 } },
        },
      },
    },
    responses: {
      200: success("The command's result.", { "application/json": { schema: reference("Success") } }),
      ...failures(),
    },
  };
}

function descriptionOperation(): object {
  return {
    operationId: "readOpenApi",
    summary: "This description, as the service that answers would write it.",
    responses: {
      200: success("OpenAPI 3.1.", { "application/json": { schema: { type: "object" } } }),
      ...failures(401, 403, 429),
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

function exportOperation(commands: readonly CommandReference[]): object {
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
  const range = [
    { name: "offset", description: "First byte of the file that is wanted, with format `jsonl`.", minimum: 0 },
    { name: "length", description: "Bytes of the file that are wanted, with format `jsonl`.", minimum: 1 },
  ].map(({ minimum, ...parameter }) => ({ ...parameter, in: "query", schema: { type: "integer", minimum } }));
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
    parameters: [...parameters, ...range, disposition, ticket],
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
    description:
      "With a nonce, `proof` is its HMAC-SHA-256 under the `secret` of the service's `server.json`, in hexadecimal " +
      "digits: a program on the same machine knows by it that the service which wrote the file answers.",
    security: [{}],
    parameters: [
      {
        name: "nonce",
        in: "query",
        schema: { type: "string", pattern: "^[\\w-]{16,128}$" },
        example: "c2f0a1d6b7e84935",
      },
    ],
    responses: {
      200: success("It works.", content),
      503: success("It is starting, or something is wrong; `reason` says what.", content),
      ...failures(400, 403),
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
