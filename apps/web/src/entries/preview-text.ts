import type { TreeEntry } from "@sm/core";
import { proseText } from "../i18n/prose-text.ts";

/** What an entry is about, in one line; "" where it says nothing. */
export function previewText({ kind, role, preview }: Pick<TreeEntry, "kind" | "role" | "preview">): string {
  // Markdown is written in messages and summaries; in entries of tools its signs mean something else.
  const isProse = kind === "summary" || (kind === "message" && role !== "system");
  return isProse ? proseText(preview) : preview;
}
