import { sessionFormat } from "@sm/core/input";
import * as v from "./json.ts";

const searchHit = v.strictObject({
  session_path: v.string(),
  format: sessionFormat,
  session_id: v.string(),
  session_title: v.string(),
  cwd: v.nullable(v.string()),
  entry_id: v.string(),
  role: v.nullable(v.picklist(["user", "assistant", "tool"])),
  kind: v.picklist(["text", "thinking", "tool_call", "tool_result", "bash", "summary", "name", "label"]),
  tool_name: v.nullable(v.string()),
  timestamp: v.nullable(v.string()),
  snippet: v.string(),
  highlights: v.array(v.tuple([v.number(), v.number()])),
  score: v.number(),
});

/** Result of `search`: `SearchPage` of the core. */
export const searchPage = v.strictObject({
  hits: v.array(searchHit),
  total: v.number(),
  total_is_exact: v.boolean(),
  next_cursor: v.nullable(v.string()),
  took_ms: v.number(),
  indexing: v.strictObject({ done: v.number(), pending: v.number() }),
});
