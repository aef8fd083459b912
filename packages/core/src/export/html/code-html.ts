import { visibleCode } from "../visible-text.ts";
import { escapeHtml } from "./escape.ts";

/** Writes code, a name or a path as HTML with visible symbols for invisible characters. */
export function codeHtml(text: string): string {
  return escapeHtml(visibleCode(text));
}
