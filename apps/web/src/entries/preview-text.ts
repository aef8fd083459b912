import type { TreeEntry } from "@sm/core";
import { proseText } from "./prose-text.ts";

/** Entries in which Markdown is written; in those of tools its signs mean something else. */
const PROSE: ReadonlySet<string> = new Set(["user", "assistant", "custom", "compaction", "branch_summary"]);

/** What an entry is about, in one line; "" where it says nothing. */
export function previewText({ type, role, preview }: Pick<TreeEntry, "type" | "role" | "preview">): string {
  return PROSE.has(role ?? type) ? proseText(preview) : preview;
}
