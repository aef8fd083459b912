import type { ErrorCode } from "@sm/core";
import { codesByStatus, ERROR_MEANINGS } from "./errors.ts";
import { reference, type Schema } from "./json-schema.ts";

const VERSION_HEADER = { "X-Session-Manager-Version": { $ref: "#/components/headers/Version" } };

/** Response with status 200. */
export function success(description: string, content: object): object {
  return { description, headers: VERSION_HEADER, content };
}

/** References to the error responses of these statuses; of all statuses by default. */
export function failures(...statuses: number[]): Record<string, object> {
  const all = codesByStatus().map(([status]) => status);
  const named = statuses.length === 0 ? all : all.filter((status) => statuses.includes(status));
  return Object.fromEntries(named.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]));
}

/** Error response of a status. */
export function failureResponse(status: number, codes: ErrorCode[]): object {
  const meanings = codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`);
  const challenge = { "WWW-Authenticate": { schema: { type: "string" } } };
  return {
    description: meanings.join("\n\n"),
    headers: { ...VERSION_HEADER, ...(status === 401 ? challenge : {}) },
    content: { "application/json": { schema: reference("Failure") } },
  };
}

/** Object schema whose fields are required, except those listed as optional. */
export function object(properties: Record<string, Schema>, optional: string[] = []): Schema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}
