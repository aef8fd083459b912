import type { JsonObject } from "@sm/core";
import { textOf, textsOf } from "./agent-record.ts";

/** A question of the agent to its user, with what each kind of answer needs. */
export type Question = { id: string; title: string; message: string } & (
  | { method: "select"; options: readonly string[] }
  | { method: "confirm" }
  | { method: "input"; placeholder: string }
  | { method: "editor"; prefill: string }
);

/** Longer lists are not useful. */
const MAX_OPTIONS = 1_000;

/** Reads a question; `null` for what asks nothing. */
export function questionOf(event: JsonObject): Question | null {
  const id = textOf(event.id);
  if (event.type !== "extension_ui_request" || id === null) return null;
  const base = { id, title: textOf(event.title) ?? "", message: textOf(event.message) ?? "" };
  switch (event.method) {
    case "select":
      return { ...base, method: "select", options: [...new Set(textsOf(event.options, MAX_OPTIONS))] };
    case "confirm":
      return { ...base, method: "confirm" };
    case "input":
      return { ...base, method: "input", placeholder: textOf(event.placeholder) ?? "" };
    case "editor":
      return { ...base, method: "editor", prefill: textOf(event.prefill) ?? "" };
    default:
      return null;
  }
}
