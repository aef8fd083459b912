import type { Schema } from "@sm/router/description";
import { describe, expect, it } from "vitest";
import { typeText } from "./type-text.ts";

describe("typeText", () => {
  it.each<[Schema, string]>([
    [{ type: "integer" }, "number"],
    [{}, "unknown"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ enum: ["a", "b"] }, '"a" | "b"'],
    [{ type: ["string", "null"], enum: ["a", null] }, '"a" | null'],
    [{ const: true }, "true"],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: "array", items: { type: ["string", "null"] } }, "Array<string | null>"],
    [{ type: "array", items: { $ref: "#/components/schemas/Record" } }, "Record[]"],
    [{ type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false }, "[number, string]"],
    [{ anyOf: [{ $ref: "#/a/B" }, { type: "null" }] }, "B | null"],
    [{ type: "object", additionalProperties: {} }, "Record<string, unknown>"],
    [{ type: "object", properties: {} }, "{}"],
    [
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "object", properties: { c: { type: "null" } } } },
        required: ["a"],
      },
      "{\n  a: string;\n  b?: {\n    c?: null;\n  };\n}",
    ],
  ])("writes %j as %s", (schema, text) => {
    expect(typeText(schema)).toBe(text);
  });
});
