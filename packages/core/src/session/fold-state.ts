import type { SessionHeader } from "../format/format.ts";
import type { JsonObject } from "../json.ts";
import type { UnpricedUsage } from "../prices/unpriced-usage.ts";
import type { ModelName } from "./named-models.ts";
import type { Ending, SessionFormatName, Usage } from "./record.ts";
import { noUsage } from "./usage.ts";

export interface SpokenText {
  ordinal: number;
  role: "user" | "assistant";
  text: string;
}

/** State of a fold without its outline, stored as JSON. */
export interface FoldState {
  format: SessionFormatName | null;
  /** See `LineReader.state`. */
  reader: JsonObject | null;
  header: SessionHeader | null;
  /** Location of the header in the file. */
  header_line: { offset: number; length: number } | null;
  name: string | null;
  malformed_lines: number;
  message_count: number;
  user_message_count: number;
  assistant_message_count: number;
  tool_call_count: number;
  first_message: string | null;
  latest_text: SpokenText | null;
  /** The latest run that failed or was aborted, and the entry that says so; `null` after whatever begins anew. */
  ending: (Ending & { ordinal: number }) | null;
  newest_message_time: number | null;
  models: string[];
  providers: string[];
  /** See {@link NamedModels}. */
  named_models: ModelName[];
  usage: Usage;
  /** What of it has no recorded cost, by model and prices. */
  unpriced: UnpricedUsage[];
  labels: Record<string, string>;
  /** Missing parents: ID, and the ordinals of the children that refer to it. */
  missing_parents: Record<string, number[]>;
  /** The title that another session tells of this one. */
  told_title: string | null;
}

/** The state before the first line. */
export function emptyState(): FoldState {
  return {
    format: null,
    reader: null,
    header: null,
    header_line: null,
    name: null,
    malformed_lines: 0,
    message_count: 0,
    user_message_count: 0,
    assistant_message_count: 0,
    tool_call_count: 0,
    first_message: null,
    latest_text: null,
    ending: null,
    newest_message_time: null,
    models: [],
    providers: [],
    named_models: [],
    usage: noUsage(),
    unpriced: [],
    labels: {},
    missing_parents: {},
    told_title: null,
  };
}
