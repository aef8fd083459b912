import { Validator } from "@seriousme/openapi-schema-validator";
import { ERROR_STATUS } from "@sm/core";
import { describe, expect, it } from "vitest";
import { tagCommands } from "../commands/tags.ts";
import { connectionCommands } from "../connection-commands.ts";
import { EVENT_TOPICS } from "../events/event.ts";
import { createRegistry, registry } from "../registry.ts";
import * as v from "../schema/json.ts";
import type { Schema } from "./json-schema.ts";
import { openApiDocument } from "./openapi.ts";

interface Operation {
  operationId: string;
  summary: string;
  tags?: string[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  parameters?: { name?: string; description?: string; required?: boolean; schema: Schema; $ref?: string }[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

// Through text, as a reader gets it.
const document = JSON.parse(JSON.stringify(openApiDocument(registry))) as Document;
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

const operationOf = (name: string) => document.paths[`/api/commands/${name}`]?.post;
const bodyOf = (name: string) => operationOf(name)?.requestBody?.content["application/json"];

/** Every object within a value. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

function resolve(pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}

describe("the OpenAPI document", () => {
  it("describes the routes of the service", () => {
    expect(document.openapi).toBe("3.1.0");
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(routes).toEqual([
      ...[...registry.keys()].map((name) => `post /api/commands/${name}`),
      "post /api",
      "get /api/openapi.json",
      "get /api/events",
      "get /api/export",
      "get /share/{secret}",
      "get /ws",
      "get /health",
      "get /metrics",
    ]);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it("refers only to what it holds", () => {
    const references = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    expect(references.length).toBeGreaterThan(registry.size);
    expect(references.filter((pointer) => resolve(pointer) === undefined)).toEqual([]);
    expect(JSON.stringify(document)).not.toContain("$defs");
  });

  it("is valid, whatever registry and server it is of", async () => {
    const small = openApiDocument(createRegistry([tagCommands]), { server: ".." });
    for (const one of [document, JSON.parse(JSON.stringify(small))]) {
      expect(await new Validator().validate(one)).toEqual({ valid: true });
    }
    expect(small).toMatchObject({ servers: [{ url: ".." }], paths: { "/api/commands/list_tags": {} } });
    expect(small).not.toHaveProperty(["paths", "/api/commands/list_sessions"]);
  });

  it.each([...registry])("has an operation for %s with a request and a response of its own", (name, command) => {
    const operation = operationOf(name);
    expect(operation).toMatchObject({ operationId: name, summary: command.summary, tags: [command.access] });
    const payload = resolve(bodyOf(name)?.schema.$ref ?? "") as Schema;
    expect(Object.keys(payload.properties ?? {})).toEqual(
      Object.keys((command.input as unknown as { entries: object }).entries),
    );
    // A command without fields that have to be there needs no body.
    expect(operation?.requestBody?.required).toBe(!v.is(command.input, {}));
    const answer = operation?.responses["200"]?.content?.["application/json"]?.schema.$ref;
    expect(resolve(answer ?? "")).toMatchObject({
      properties: {
        success: { const: true },
        data: { $ref: expect.stringMatching(/Result$/) },
        error: { type: "null" },
      },
      required: ["success", "data", "error"],
    });
  });

  it("gives no two commands the same schema", () => {
    const names = [...registry.keys()].map((name) => bodyOf(name)?.schema.$ref);
    expect(new Set(names).size).toBe(registry.size);
  });

  it.each([...registry])("shows an example of %s that the service takes", (name, { input }) => {
    const { example } = bodyOf(name) ?? {};
    expect(example).toBeDefined();
    expect(v.safeParse(input, example).issues).toBeUndefined();
  });

  it("names every status that a command may be answered with", () => {
    const statuses = new Set(["200", ...Object.values(ERROR_STATUS).map(String)]);
    for (const name of registry.keys())
      expect(new Set(Object.keys(operationOf(name)?.responses ?? {}))).toEqual(statuses);
  });

  it("takes for a download what export_session takes, and the file itself, or a ticket", () => {
    const parameters = document.paths["/api/export"]?.get?.parameters ?? [];
    const needed = parameters.filter(({ description }) => description?.includes("Required without a ticket."));
    expect(needed.map(({ name }) => name)).toEqual(["path", "format"]);
    expect(parameters.filter(({ required }) => required)).toEqual([]);
    expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(["ticket", "disposition"]));
    expect(parameters.find(({ name }) => name === "format")?.schema.enum).toContain("jsonl");
  });

  it("has the commands of a connection and the events, which no route of HTTP has", () => {
    expect(schemas).toHaveProperty("AuthPayload");
    const { length } = schemas.SocketRequest?.oneOf ?? [];
    expect(length).toBe(registry.size + Object.keys(connectionCommands).length);
    const events = schemas.Event?.oneOf?.map(({ properties }) => properties?.event?.const);
    expect(events).toEqual(expect.arrayContaining(["hello", "events-lost", ...Object.keys(EVENT_TOPICS)]));
  });
});

describe("schemas", () => {
  it("say null, defaults and limits in one place", () => {
    expect(schemas.SearchPayload).toMatchObject({
      properties: {
        role: { type: ["string", "null"], enum: ["all", "user", "assistant", "tool", null], default: "all" },
        limit: { type: ["integer", "null"], minimum: 1, maximum: 200, default: 20 },
        since: {
          type: ["string", "null"],
          description: "RFC 3339 date-time; of a date alone, its first moment in UTC.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    });
  });

  it("allow no payload where no field is required", () => {
    expect(schemas.PingPayload).toMatchObject({ type: ["object", "null"] });
    expect(schemas.SearchPayload).toMatchObject({ type: "object" });
  });

  it("ask for one of two fields where a payload has one", () => {
    const given = (name: string) => ({ required: [name], properties: { [name]: { not: { type: "null" } } } });
    expect(schemas.AssignTagPayload?.oneOf).toEqual([given("session_path"), given("session_paths")]);
    expect(schemas.StartCodingSessionPayload).toMatchObject({
      type: "object",
      oneOf: [given("cwd"), given("session_path")],
    });
  });

  it("share the record of a session, and leave results open for new fields", () => {
    const data = schemas.ListSessionsResult;
    expect(data?.properties?.sessions).toEqual({
      type: "array",
      items: { $ref: "#/components/schemas/SessionRecord" },
    });
    expect(data).not.toHaveProperty("additionalProperties");
    expect(schemas.SessionRecord).not.toHaveProperty("additionalProperties");
    expect(schemas.ReadSessionEntriesResult?.properties?.labels).toMatchObject({
      type: "object",
      additionalProperties: { type: "string" },
    });
  });
});
