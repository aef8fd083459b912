import { isJsonObject, isTooDeep, type JsonObject, type PayloadIssue } from "@sm/core";
import * as v from "valibot";

const OBJECT = "Must be an object.";
const text = v.pipe(v.string("Must be a string."), v.nonEmpty("Must not be empty."));
const flag = v.boolean("Must be true or false.");
const amount = v.number("Must be a number.");
const positive = v.pipe(amount, v.gtValue(0, "Must be above 0."));
const texts = record(v.string("Must be a string."));
const input = v.array(v.picklist(["text", "image"], 'Must be "text" or "image".'), "Must be an array.");

const cost = {
  input: amount,
  output: amount,
  cacheRead: amount,
  cacheWrite: amount,
};

const optionalCost = {
  input: v.optional(amount),
  output: v.optional(amount),
  cacheRead: v.optional(amount),
  cacheWrite: v.optional(amount),
};

const thinkingLevels = object(
  Object.fromEntries(
    ["off", "minimal", "low", "medium", "high", "xhigh", "max"].map((level) => [
      level,
      v.optional(v.nullable(v.string("Must be a string or null."))),
    ]),
  ),
);

const shared = {
  name: v.optional(text),
  reasoning: v.optional(flag),
  thinkingLevelMap: v.optional(thinkingLevels),
  input: v.optional(input),
  contextWindow: v.optional(positive),
  maxTokens: v.optional(positive),
  headers: v.optional(texts),
  compat: v.optional(object({})),
};

const model = object({
  id: text,
  api: v.optional(text),
  baseUrl: v.optional(text),
  cost: v.optional(object(cost)),
  ...shared,
});

const modelOverride = object({ cost: v.optional(object(optionalCost)), ...shared });

const provider = object({
  name: v.optional(text),
  baseUrl: v.optional(text),
  apiKey: v.optional(text),
  api: v.optional(text),
  headers: v.optional(texts),
  compat: v.optional(object({})),
  authHeader: v.optional(flag),
  models: v.optional(v.array(model, "Must be an array.")),
  modelOverrides: v.optional(record(modelOverride)),
});

/**
 * Requirements of the agent for `models.json` (`schemas/models.schema.json` in 1.5.2) that are the same in all releases
 * since 0.74.2. Other fields are kept, as the agent keeps unknown ones.
 */
const modelConfig = object({ providers: record(provider) });

// An array would pass as an object without fields.
function object<Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.looseObject(entries);
  return v.pipe(v.custom<v.InferInput<typeof schema>>(isJsonObject, OBJECT), schema);
}

function record<Value extends v.GenericSchema>(value: Value) {
  const schema = v.record(v.string(), value);
  return v.pipe(v.custom<v.InferInput<typeof schema>>(isJsonObject, OBJECT), schema);
}

/** Maximum number of reported issues. */
const MAX_ISSUES = 20;

/** The problems for which the agent would reject a configuration. */
export function modelConfigProblems(config: JsonObject): PayloadIssue[] {
  if (isTooDeep(config)) return [{ path: "", message: "Nested too deeply." }];
  const result = v.safeParse(modelConfig, config, { abortPipeEarly: true });
  if (result.success) return [];
  return result.issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: v.getDotPath(issue) ?? "",
    message: issue.input === undefined ? "Required." : issue.message,
  }));
}
