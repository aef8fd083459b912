import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { TranscriptBlock } from "../../session/transcript.ts";
import { blocksOf, text } from "../json-fields.ts";
import { textBlocks } from "../new-items.ts";

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/;
/** No line nests deeper what is worth to be shown. */
const DEEPEST = 50;

/** Texts of content, whatever its blocks are called; those that only the model's provider can read are no texts. */
export function textOfContent(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  let joined = "";
  for (const block of blocksOf(content)) {
    const piece = text(block.text);
    if (piece !== "") joined = joined === "" ? piece : `${joined}\n${piece}`;
  }
  return joined;
}

export function blocksOfContent(content: JsonValue | undefined): TranscriptBlock[] {
  if (typeof content === "string") return textBlocks(content);
  if (!Array.isArray(content)) return [];
  return content.flatMap(blockOf);
}

export function hasImage(content: JsonValue | undefined): boolean {
  return blocksOf(content).some(({ image_url }) => typeof image_url === "string");
}

function blockOf(block: JsonValue): TranscriptBlock[] {
  if (!isJsonObject(block)) return [{ kind: "raw", value: block }];
  if (typeof block.text === "string") return textBlocks(block.text);
  if (block.type === "encrypted_content") return [];
  if (typeof block.image_url === "string") return [imageOf(block.image_url)];
  return [{ kind: "raw", value: withoutEncrypted(block) }];
}

/** An image by its address: with its data, or somewhere else. */
export function imageOf(url: string): TranscriptBlock {
  const type = DATA_URL.exec(url);
  if (type === null) return { kind: "raw", value: { type: "image", image_url: url.slice(0, 1000) } };
  return { kind: "image", mime_type: type[1] ?? "", data: url.slice(type[0].length) };
}

/** A value without what only the model's provider can read. */
export function withoutEncrypted<T extends JsonValue>(value: T, depth = 0): T {
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) return (Array.isArray(value) ? [] : {}) as T;
  if (Array.isArray(value)) return value.map((inner) => withoutEncrypted(inner, depth + 1)) as T;
  const kept = Object.entries(value as JsonObject).filter(([key]) => key !== "encrypted_content");
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutEncrypted(inner ?? null, depth + 1)])) as T;
}
