import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

// Fields of any format. A value of an unexpected type counts as missing.

export function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

export function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function blocksOf(content: JsonValue | undefined): JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

export function joinField(blocks: JsonObject[], type: string, field: string): string {
  let joined = "";
  for (const block of blocks) {
    const piece = block.type === type ? text(block[field]) : "";
    if (piece !== "") joined = joined === "" ? piece : `${joined}\n${piece}`;
  }
  return joined;
}

export function joinText(content: JsonValue | undefined): string {
  return typeof content === "string" ? content : joinField(blocksOf(content), "text", "text");
}

/** A number, 0 if there is none. */
export function amount(value: JsonValue | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
