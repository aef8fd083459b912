import { visibleText } from "../visible-text.ts";
import { escapeHtml } from "./escape.ts";

/** Pure bitmap formats; others, such as SVG, may contain more. */
const INLINE_TYPES = /^image\/(?:png|jpeg|gif|webp|avif)$/;

/** Maximum bytes of an inline image: more than models accept (5 MB). Base64 adds a third. */
const MAX_INLINE_SIZE = 8 * 1024 * 1024;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Maximum characters of an image type. */
const MAX_TYPE_LENGTH = 60;

/** Why an image is not shown. */
export type ImageProblem = "too large" | "not pixels" | "damaged";

/** Checks the type and data of an image: `null` if harmless, otherwise why it is not shown. */
export function imageProblem(mimeType: string, base64: string): ImageProblem | null {
  if (imageSize(base64) > MAX_INLINE_SIZE) return "too large";
  if (!INLINE_TYPES.test(mimeType)) return "not pixels";
  return BASE64.test(base64) ? null : "damaged";
}

/** Size of an image from its base64. */
export function imageSize(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

const REASONS: Readonly<Record<ImageProblem, string>> = {
  "too large": `not shown, larger than ${sizeText(MAX_INLINE_SIZE)}`,
  "not pixels": "not shown, of a type that this page does not open",
  damaged: "not shown, its data is damaged",
};

/** Renders an image: inline if harmless, otherwise as a note. */
export function imageHtml(mimeType: string, base64: string, alt = "Image"): string {
  const problem = imageProblem(mimeType, base64);
  if (problem === null) {
    return `<img class="image" loading="lazy" decoding="async" alt="${escapeHtml(visibleText(alt))}" src="data:${mimeType};base64,${base64}">`;
  }
  const type = visibleText(mimeType.slice(0, MAX_TYPE_LENGTH)) || "unknown type";
  return `<span class="omitted">Image (${escapeHtml(type)}, ${sizeText(imageSize(base64))}): ${REASONS[problem]}</span>`;
}

/** Formats a number of bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
