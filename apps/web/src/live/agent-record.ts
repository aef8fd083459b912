import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";

/** Reads a field of a record; what an agent and its extensions write may be anything. */
export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The texts in a list, at most so many. */
export function textsOf(value: JsonValue | undefined, most: number): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").slice(0, most) : [];
}

/** The text that is in the content of a message or of a tool's result. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((block) => (isJsonObject(block) ? (textOf(block.text) ?? []) : [])).join("\n");
}
