import { ERROR_STATUS, type ErrorCode } from "@sm/core";
import * as v from "./json.ts";

const errorCodes = Object.keys(ERROR_STATUS) as ErrorCode[];

/** An error inside a result, such as those of `delete_sessions`. */
export const errorSchema = v.strictObject({
  code: v.picklist(errorCodes),
  message: v.string(),
  details: v.nullable(
    v.union([
      v.array(v.strictObject({ path: v.string(), message: v.string() })),
      v.strictObject({ retry_after_ms: v.number() }),
      v.strictObject({ session_id: v.string() }),
    ]),
  ),
});
