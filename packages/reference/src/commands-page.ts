import { registry } from "@sm/router";
import {
  type CommandReference,
  codesByStatus,
  describeCommands,
  describeConnectionCommands,
  describeEvents,
  ERROR_MEANINGS,
  outputSchema,
  type Schema,
  sharedSchemas,
} from "@sm/router/description";
import { typeText } from "./type-text.ts";

/** Makes the reference of commands, events and errors for people. */
export function commandsPage(): string {
  const commands = describeCommands(registry);
  const shared = sharedSchemas();
  return [
    "<!-- Written by `npm run reference`; edit the registry instead. -->",
    "# Commands",
    "Send a command as `{command, payload}` with `POST /api` or as a message on the WebSocket at `/ws`, or send its " +
      "payload alone with `POST /api/commands/{command}`. The response is `{success, data, error}`. A payload without " +
      "required fields is optional. Optional " +
      "fields may be `null`; unknown fields are rejected. Clients on other machines need a token; tokens of scope `read` may " +
      "only call commands of access `read`. Commands of access `control` decide which programs run, or grant rights: they " +
      "are for clients on the same machine and for tokens of scope `full`, also where `auth_enabled` is false.",
    commands.map(({ name, summary }) => `- [\`${name}\`](#${name}): ${summary}`).join("\n"),
    ...commands.flatMap((command) => [...commandSection(command), ...curl(command)]),
    "# Commands of a connection",
    "Available on a WebSocket only. Requests may have an `id`, which is repeated in the response.",
    ...describeConnectionCommands().flatMap(commandSection),
    "# Events",
    "A WebSocket receives `{event, seq, payload}`; `GET /api/events` streams the same as server-sent events. `after_seq` " +
      "in the query (or the header `Last-Event-ID`) replays the events after that number.",
    ...describeEvents().flatMap(({ name, summary, topic, payload }) => [
      `## ${name}`,
      topic === null ? summary : `${summary} Topic: \`${topic}\`.`,
      typeBlock(outputSchema(payload)),
    ]),
    "# Shared types",
    ...Object.entries(shared).flatMap(([name, schema]) => [`## ${name}`, typeBlock(schema)]),
    "# Errors",
    table(
      ["code", "HTTP", "meaning"],
      codesByStatus().flatMap(([status, codes]) =>
        codes.map((code) => [`\`${code}\``, String(status), ERROR_MEANINGS[code]]),
      ),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

function commandSection({ name, summary, access, payload, result }: CommandReference): string[] {
  return [
    `## ${name}`,
    access === null ? summary : `${summary} Access: \`${access}\`.`,
    payloadTable(payload),
    "Result:",
    typeBlock(result),
  ];
}

function payloadTable({ properties = {}, required = [], oneOf = [] }: Schema): string {
  const fields = Object.entries(properties);
  if (fields.length === 0) return "No payload.";
  const choices = oneOf.flatMap((choice) => choice.required ?? []);
  const rows = fields.map(([name, schema]) => [
    `\`${name}\``,
    `\`${typeText(required.includes(name) ? schema : withoutNull(schema)).replace(/\s+/g, " ")}\``,
    required.includes(name) ? "yes" : choices.includes(name) ? "one of these" : "",
    schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\``,
    noteOf(schema),
  ]);
  return table(["field", "type", "required", "default", ""], rows);
}

/** That a field which may be left out may be `null` is said above all tables. */
function withoutNull(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if (!Array.isArray(type)) return schema;
  const [first = "null"] = type;
  return { ...schema, type: first, ...(values ? { enum: values.filter((value) => value !== null) } : {}) };
}

function noteOf({ description, minimum, maximum, minItems, maxLength, maxItems }: Schema): string {
  const isRange = minimum !== undefined && maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  const limits = [
    isRange ? `${minimum} to ${maximum}.` : "",
    maxItems === undefined ? "" : `${minItems === undefined ? "At" : `${minItems} at least, at`} most ${maxItems}.`,
    maxLength === undefined ? "" : `At most ${maxLength} characters.`,
  ];
  // Some descriptions name the limit themselves.
  return [description, ...limits.filter((limit) => !description?.includes(limit))].filter(Boolean).join(" ");
}

function curl({ name, example }: CommandReference): string[] {
  // A quote within single quotes would end them.
  const body = JSON.stringify({ command: name, payload: example }).replaceAll("'", String.raw`'\''`);
  const lines = ["curl -s http://127.0.0.1:52131/api -H 'Content-Type: application/json' \\", `  -d '${body}'`];
  return [["```sh", ...lines, "```"].join("\n")];
}

function typeBlock(schema: Schema): string {
  return ["```ts", typeText(schema), "```"].join("\n");
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
