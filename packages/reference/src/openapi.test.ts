import { ERROR_STATUS } from "@sm/core";
import { connectionCommands, registry } from "@sm/router";
import { EVENT_TOPICS } from "@sm/router/events";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "./openapi.ts";
import type { Schema } from "./schema.ts";

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema; examples: Record<string, { value: unknown }> }> };
  parameters?: { name?: string; description?: string; required?: boolean; schema: Schema; $ref?: string }[];
  responses: Record<string, object>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

// Through text, as a reader gets it.
const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const body = document.paths["/api"]?.post?.requestBody?.content["application/json"];

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
      "post /api",
      "get /api/events",
      "get /api/export",
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

  it("tells the request of every command by its name", () => {
    const mapping = body?.schema.discriminator?.mapping ?? {};
    expect(Object.keys(mapping)).toEqual([...registry.keys()]);
    expect(body?.schema.oneOf?.map(({ $ref }) => $ref)).toEqual(Object.values(mapping));
    for (const [name, pointer] of Object.entries(mapping)) {
      expect(resolve(pointer)).toMatchObject({ properties: { command: { const: name } } });
    }
  });

  it.each([...registry])("shows an example of %s that the service takes", (name, { input }) => {
    const { value } = body?.examples[name] ?? {};
    expect(value).toMatchObject({ command: name });
    expect(v.safeParse(input, (value as { payload: unknown }).payload).issues).toBeUndefined();
  });

  it("names every status that a command may be answered with", () => {
    const statuses = new Set(Object.values(ERROR_STATUS).map(String));
    const responses = Object.keys(document.paths["/api"]?.post?.responses ?? {});
    expect(new Set(responses)).toEqual(new Set(["200", ...statuses]));
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
    expect(schemas).toHaveProperty("AuthRequest");
    const { length } = schemas.SocketRequest?.oneOf ?? [];
    expect(length).toBe(registry.size + Object.keys(connectionCommands).length);
    const events = schemas.Event?.oneOf?.map(({ properties }) => properties?.event?.const);
    expect(events).toEqual(expect.arrayContaining(["hello", "events-lost", ...Object.keys(EVENT_TOPICS)]));
  });
});

describe("schemas", () => {
  it("say null, defaults and limits in one place", () => {
    expect(schemas.SearchRequest?.properties?.payload).toMatchObject({
      properties: {
        role: { type: ["string", "null"], enum: ["all", "user", "assistant", "tool", null], default: "all" },
        limit: { type: ["integer", "null"], minimum: 1, maximum: 200, default: 20 },
        since: { type: ["string", "null"], description: "RFC 3339 date or date-time." },
      },
      required: ["query"],
      additionalProperties: false,
    });
  });

  it("allow no payload where no field is required", () => {
    expect(schemas.PingRequest).toMatchObject({
      properties: { payload: { type: ["object", "null"] } },
      required: ["command"],
    });
  });

  it("share the record of a session, and leave results open for new fields", () => {
    const data = schemas.ListSessionsResponse?.properties?.data;
    expect(data?.properties?.sessions).toEqual({
      type: "array",
      items: { $ref: "#/components/schemas/SessionRecord" },
    });
    expect(data).not.toHaveProperty("additionalProperties");
    expect(schemas.SessionRecord).not.toHaveProperty("additionalProperties");
    expect(schemas.ReadSessionEntriesResponse?.properties?.data?.properties?.labels).toMatchObject({
      type: "object",
      additionalProperties: { type: "string" },
    });
  });
});
