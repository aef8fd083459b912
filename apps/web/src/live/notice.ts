import type { JsonObject } from "@sm/core";
import { numberOf, textOf, textsOf } from "./agent-record.ts";

/** Something that has happened, beside what is said. */
export type Notice =
  /** An extension tells the user something. */
  | { type: "told"; level: "info" | "warning" | "error"; text: string }
  | { type: "retrying"; attempt: number; error: string }
  | { type: "gave_up"; error: string }
  /** The user has ended the run. */
  | { type: "aborted" }
  | { type: "compaction_failed"; error: string }
  | { type: "compaction_aborted" }
  /** The summary of a compaction or of a branch is tried again. */
  | { type: "retrying_summary"; attempt: number; error: string }
  /** Prompts that were taken out of the queue. */
  | { type: "queue_cleared"; prompts: readonly string[] }
  | { type: "extension_failed"; name: string; error: string }
  | { type: "prompt_failed"; error: string }
  /** The agent wrote an unrecognised record. */
  | { type: "garbage"; text: string }
  | { type: "line_skipped"; bytes: number }
  /** The agent has ended; `stderr` is the last that it wrote there, `isStopped` that it was told to end. */
  | { type: "exit"; exitCode: number | null; signal: string | null; stderr: string; isStopped: boolean };

const MAX_PROMPTS = 100;

/** Reads what is worth a row of its own; `null` for all else. */
export function noticeOf(event: JsonObject): Notice | null {
  switch (event.type) {
    case "extension_ui_request":
      return event.method === "notify" ? toldBy(event) : null;
    case "auto_retry_start":
      return { type: "retrying", attempt: numberOf(event.attempt) ?? 1, error: textOf(event.errorMessage) ?? "" };
    case "auto_retry_end":
      return event.success === false ? { type: "gave_up", error: textOf(event.finalError) ?? "" } : null;
    case "agent_settled":
      return event.aborted === true ? { type: "aborted" } : null;
    case "compaction_end":
    case "auto_compaction_end": {
      if (event.aborted === true) return { type: "compaction_aborted" };
      const error = textOf(event.errorMessage);
      return error === null ? null : { type: "compaction_failed", error };
    }
    case "summarization_retry_scheduled":
      return {
        type: "retrying_summary",
        attempt: numberOf(event.attempt) ?? 1,
        error: textOf(event.errorMessage) ?? "",
      };
    case "service_queue_cleared":
      return {
        type: "queue_cleared",
        prompts: [...textsOf(event.steering, MAX_PROMPTS), ...textsOf(event.follow_up, MAX_PROMPTS)],
      };
    case "extension_error": {
      const [name = ""] = (textOf(event.extensionPath) ?? "").split(/[/\\]/).slice(-1);
      return { type: "extension_failed", name, error: textOf(event.error) ?? "" };
    }
    case "service_prompt_failed":
      return { type: "prompt_failed", error: textOf(event.error) ?? "" };
    case "service_garbage":
      return { type: "garbage", text: textOf(event.text) ?? "" };
    case "service_line_skipped":
      return { type: "line_skipped", bytes: numberOf(event.bytes) ?? 0 };
    case "service_exit":
      return {
        type: "exit",
        exitCode: numberOf(event.exit_code),
        signal: textOf(event.signal),
        stderr: textOf(event.stderr) ?? "",
        isStopped: event.stopped === true,
      };
    default:
      return null;
  }
}

function toldBy(event: JsonObject): Notice | null {
  const text = textOf(event.message);
  if (text === null || text.trim() === "") return null;
  const level = event.notifyType === "warning" || event.notifyType === "error" ? event.notifyType : "info";
  return { type: "told", level, text };
}
