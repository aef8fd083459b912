import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { modelConfigProblems } from "@sm/agent";
import { describe, expect, it } from "vitest";
import { installAgent } from "./real-agent.ts";

/** The parts of JSON Schema that the agent's schemas use. */
interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  const?: string;
  enum?: string[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minLength?: number;
}

/** Values that a schema takes: of an object one without its optional fields, and one for each value of each field. */
function samples(schema: Schema, root: Schema): unknown[] {
  const { $ref, type, anyOf, items, properties = {}, patternProperties = {}, required = [], minLength = 0 } = schema;
  if ($ref !== undefined) return samples(root.$defs?.[$ref.replace("#/$defs/", "")] ?? {}, root);
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  if (anyOf !== undefined) return anyOf.flatMap((one) => samples(one, root));
  switch (type) {
    case "object": {
      const fields = [
        ...Object.entries(properties),
        ...Object.values(patternProperties).map((one) => ["any", one] as const),
      ];
      const values = new Map(fields.map(([name, one]) => [name, samples(one, root)]));
      const least = Object.fromEntries(required.map((name) => [name, values.get(name)?.[0]]));
      const others = [...values].flatMap(([name, all]) => all.map((value) => ({ ...least, [name]: value })));
      const isRecord = Object.keys(patternProperties).length > 0;
      return [least, ...others, ...(isRecord ? [] : [{ ...least, unknown: [{ to: "everybody" }] }])];
    }
    case "array":
      return [[], ...samples(items ?? {}, root).map((item) => [item])];
    case "string":
      return minLength === 0 ? ["", "text"] : ["t"];
    case "number":
    case "integer":
      return [1, 200_000];
    case "boolean":
      return [true, false];
    case "null":
      return [null];
    default:
      return ["anything", { at: "all" }];
  }
}

describe("models.json", () => {
  it("may have whatever the schema of pi 1.5.2 takes", async () => {
    const { folder } = await installAgent("1.5.2");
    const schema = JSON.parse(await readFile(join(folder, "schemas", "models.schema.json"), "utf8"));
    const configs = samples(schema, schema) as object[];
    expect(configs.length).toBeGreaterThan(300);
    for (const config of configs) {
      expect(modelConfigProblems(config as Parameters<typeof modelConfigProblems>[0]), JSON.stringify(config)).toEqual(
        [],
      );
    }
  });
});
