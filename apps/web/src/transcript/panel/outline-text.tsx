import type { TreeEntry } from "@sm/core";
import { Bookmark } from "lucide-react";
import { bookmarkText } from "../../entries/bookmark.tsx";
import { previewText } from "../../entries/preview-text.ts";
import { t } from "../../i18n/text.ts";
import { isPrompt } from "./tree-rows.ts";

/** The beginning of an entry, below its bookmark if it has one. */
export function OutlineText({ entry, label }: { entry: TreeEntry; label: string | undefined }) {
  return (
    <span className="min-w-0 flex-1">
      {label !== undefined && (
        <span className="bookmark">
          <Bookmark aria-hidden className="size-3 shrink-0" />
          {bookmarkText(label)}
        </span>
      )}
      <span className="outline-text">{entryText(entry)}</span>
    </span>
  );
}

function entryText(entry: TreeEntry): string {
  if (entry.kind === "context_edit") {
    return t(entry.preview === "" ? "transcript.edit_removes" : "transcript.edit_replaces");
  }
  return previewText(entry) || (isPrompt(entry) ? t("transcript.prompt_without_text") : typeText(entry));
}

function typeText({ type, role }: TreeEntry): string {
  return role ?? type.replaceAll("_", " ");
}
