import { cut } from "@sm/core";
import { Bookmark as BookmarkIcon } from "lucide-react";
import { t } from "../i18n/text.ts";

/** Characters of a label that are shown. */
const MAX_LABEL_LENGTH = 200;

/** Shows that an entry is bookmarked, with the label of its agent; nothing if it is not. */
export function Bookmark({ entryId, labels }: { entryId: string; labels: Readonly<Record<string, string>> }) {
  // An id may be any text, `constructor` too.
  const label = Object.hasOwn(labels, entryId) ? labels[entryId] : undefined;
  if (label === undefined) return null;
  return (
    <span className="bookmark">
      <BookmarkIcon aria-hidden className="size-3 shrink-0" />
      {label !== "" && <span className="sr-only">{t("transcript.bookmark")}</span>}
      <span className="bookmark-text">{bookmarkText(label)}</span>
    </span>
  );
}

/** The label of a bookmark; what it is if it has none. */
export function bookmarkText(label: string): string {
  return label === "" ? t("transcript.bookmarked") : cut(label, MAX_LABEL_LENGTH);
}
