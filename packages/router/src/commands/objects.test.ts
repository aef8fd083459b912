import { validate } from "@sm/core/input";
import { describe, expect, it } from "vitest";
import { connectionCommands } from "../connection-commands.ts";
import { registry } from "../registry.ts";
import * as v from "../schema/json.ts";
import { run } from "./recorded-services.fixture.ts";

type Key = string | number;

/** The parts of valibot's schemas through which objects are reached. */
interface Parts {
  type: string;
  entries: Record<string, v.GenericSchema>;
  value: v.GenericSchema;
  item: v.GenericSchema;
  wrapped: v.GenericSchema;
}

const WRAPPERS = new Set(["optional", "exact_optional", "nullish", "nullable"]);
const OBJECTS = new Set(["object", "strict_object", "loose_object"]);
const SCALARS = new Set(["string", "number", "boolean", "literal", "picklist"]);

/** A value that each kind of scalar in the registry takes. */
const SCALAR_VALUES = [1, true, "/tmp", "#000000", "2026-01-01", "image/png", "AAAA", "UTC", "off", "idle"];

/** Makes a value with every optional field, an item in every list and a field in every record. */
function sample(schema: v.GenericSchema): unknown {
  const { type, entries, value, item, wrapped } = schema as unknown as Parts;
  if (WRAPPERS.has(type)) return sample(wrapped);
  if (OBJECTS.has(type)) {
    return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, sample(entry)]));
  }
  if (type === "record") return { key: sample(value) };
  if (type === "array") return [sample(item)];
  if (type === "any" || type === "unknown") return 1;
  if (type === "literal") return (schema as unknown as { literal: unknown }).literal;
  const scalar = SCALARS.has(type)
    ? [...SCALAR_VALUES, (schema as { options?: unknown[] }).options?.[0]].find((one) => v.is(schema, one))
    : undefined;
  if (scalar === undefined) throw new Error(`This test knows no value of a schema of type ${type}.`);
  return scalar;
}

/** Lists where a payload has objects, the payload itself first, and whether each may be `null`. */
function* objectsIn(schema: v.GenericSchema, path: Key[] = [], nullable = false): Generator<[Key[], boolean]> {
  const { type, entries, value, item, wrapped } = schema as unknown as Parts;
  if (WRAPPERS.has(type)) yield* objectsIn(wrapped, path, nullable || type.startsWith("null"));
  if (OBJECTS.has(type) || type === "record") yield [path, nullable];
  if (OBJECTS.has(type)) for (const [name, entry] of Object.entries(entries)) yield* objectsIn(entry, [...path, name]);
  if (type === "record") yield* objectsIn(value, [...path, "key"]);
  if (type === "array") yield* objectsIn(item, [...path, 0]);
}

function replaced(payload: unknown, [key, ...rest]: Key[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = structuredClone(payload) as Record<Key, unknown>;
  copy[key] = replaced(copy[key], rest, value);
  return copy;
}

const NO_OBJECTS = [[], [1], [{}], [[]], "", "text", "{}", 0, 1, true, null];

const places = [...registry].flatMap(([name, { input }]) =>
  [...objectsIn(input)].map(([path, nullable]) => ({ name, input, path, nullable, where: path.join(".") })),
);

describe("every object of a payload", () => {
  it("is found by this test, the nested ones too", () => {
    const nested = places.filter(({ path }) => path.length > 0).map(({ name, where }) => `${name} ${where}`);
    expect(nested).toEqual(
      expect.arrayContaining([
        "save_model_config providers",
        "save_model_config providers.key",
        "save_config_bundle tags.0",
        "save_config_bundle agent_settings",
        "send_coding_agent_rpc images.0",
        "report_coding_session changes",
        "report_coding_session events.0",
      ]),
    );
    expect(new Set(places.map(({ name }) => name)).size).toBe(registry.size);
  });

  it.each(places)("is no array, text or number: $name $where", async ({ name, input, path, nullable, where }) => {
    const payload = sample(input);
    for (const value of NO_OBJECTS) {
      // A payload of `null` counts as an empty one.
      if (value === null && (nullable || path.length === 0)) continue;
      const { calls, response } = await run(name, replaced(payload, path, value));
      expect(response.error, JSON.stringify(value)).toMatchObject({ code: "INVALID_PAYLOAD" });
      expect(response.error?.details).toContainEqual({ path: where, message: "Expected an object." });
      expect(calls).toEqual([]);
    }
  });

  it.each(Object.entries(connectionCommands))("is no array for %s either", (_name, { input }) => {
    expect(() => validate(input, [])).toThrow("Expected an object.");
    expect(v.is(input, [])).toBe(false);
  });
});

describe("schemas of objects", () => {
  it.each([
    ["object", v.object({})],
    ["strictObject", v.strictObject({})],
    ["looseObject", v.looseObject({})],
    ["objectWithRest", v.objectWithRest({}, v.any())],
    ["record", v.record(v.string(), v.any())],
    ["a copy", v.partial(v.strictObject({ field: v.string() }))],
    ["a pipe", v.pipe(v.strictObject({}), v.description("An object."))],
  ])("%s refuses arrays", (_name, schema) => {
    expect(v.is(schema, {})).toBe(true);
    for (const value of [[], [1], null]) expect(v.is(schema, value)).toBe(false);
  });
});
