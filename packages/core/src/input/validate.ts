import * as v from "valibot";
import { AppError, type PayloadIssue } from "../errors.ts";

/** Limits the response to an invalid array of a million items. */
const MAX_ISSUES = 20;
const MAX_PATH_LENGTH = 200;

/**
 * Validates a payload and fills in its defaults.
 *
 * @throws AppError `INVALID_PAYLOAD` with one detail per invalid field.
 */
export function validate<Schema extends v.GenericSchema>(schema: Schema, payload: unknown): v.InferOutput<Schema> {
  // Schemas of other packages may accept arrays as objects.
  if (Array.isArray(payload)) throw invalidPayload([{ path: "", message: "Expected an object." }]);
  const result = v.safeParse(schema, payload, { message: describeIssue, abortPipeEarly: true });
  if (result.success) return result.output;
  throw invalidPayload(
    result.issues.slice(0, MAX_ISSUES).map((issue) => ({
      path: (v.getDotPath(issue) ?? "").slice(0, MAX_PATH_LENGTH),
      message: issue.message,
    })),
  );
}

/** The error for a payload with these issues; its message describes the first. */
export function invalidPayload(issues: PayloadIssue[]): AppError {
  const [first] = issues;
  const where = first?.path ? ` in "${first.path}"` : "";
  return new AppError("INVALID_PAYLOAD", `The payload is not valid${where}: ${first?.message}`, { details: issues });
}

/** Never repeats the value: it may be long or secret. */
function describeIssue(issue: v.BaseIssue<unknown>): string {
  if (issue.expected === "never") return "Unknown field.";
  if (issue.input === undefined) return "Required.";
  if (issue.expected === "Object") return "Expected an object.";
  return `Expected ${issue.expected}.`;
}
