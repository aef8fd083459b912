import { isJsonObject, type JsonValue } from "../../json.ts";
import type { NoteItem, SummaryItem } from "../../session/transcript.ts";
import { CHECKPOINT_TITLE, NOTHING_KEPT } from "../wording.ts";
import { anchorOf } from "./anchor.ts";
import { dataDetails } from "./data.ts";
import type { EntryHeads } from "./entry-heads.ts";
import { instructionsHtml } from "./instructions.ts";
import { lineHtml } from "./line-html.ts";
import type { PageContext } from "./page-context.ts";
import { proseHtml } from "./prose.ts";
import { usageHtml } from "./usage.ts";

/** Renders an entry without conversation as one line; data of extensions and unknown types as JSON. */
export function noteHtml(item: NoteItem, heads: EntryHeads, page: PageContext): string {
  const line = noteLine(item);
  const body =
    line === null
      ? dataDetails(dataTitle(item), item.value, page.budget)
      : `<p>${[line, usageHtml(item.usage)].filter((part) => part !== "").join(" · ")}</p>`;
  return `${heads.open(item, "note", null)}${body}</article>`;
}

function noteLine({ type, value }: NoteItem): string | null {
  switch (type) {
    case "model_change":
      return `Model: ${names(value.provider, value.modelId)}`;
    case "thinking_level_change":
      return `Thinking level: ${names(value.thinkingLevel)}`;
    case "session_info":
      return isName(value.name) ? `Session named “${lineHtml(value.name)}”` : "Session name removed";
    case "label": {
      if (typeof value.targetId !== "string") return null;
      const target = `<a href="#${anchorOf(value.targetId)}">an entry</a>`;
      return isName(value.label)
        ? `Bookmark “${lineHtml(value.label)}” on ${target}`
        : `Bookmark removed from ${target}`;
    }
    case "context_edit": {
      if (typeof value.targetId !== "string") return null;
      const target = `<a href="#${anchorOf(value.targetId)}">an entry</a>`;
      return isJsonObject(value.replacement)
        ? `From here on the model sees other content in place of ${target}`
        : `From here on the model no longer sees ${target}`;
    }
    case "usage": {
      const note = isName(value.note) ? ` (${lineHtml(value.note)})` : "";
      return value.kind === "cache_warm" ? `Cache kept warm${note}` : `Usage: ${names(value.kind)}${note}`;
    }
    default:
      return null;
  }
}

function dataTitle({ type, value }: NoteItem): string {
  return type === "custom" ? `Extension data: ${names(value.customType)}` : `Entry of type ${lineHtml(type)}`;
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function names(...values: (JsonValue | undefined)[]): string {
  const known = values.filter(isName);
  return known.length === 0 ? "unknown" : lineHtml(known.join("/"));
}

const REASONS = {
  compaction: "Compaction: this summary replaces the conversation before it",
  branch: "Summary of another branch",
} as const;

/** Renders a summary that replaces a part of the conversation. */
export function summaryHtml(item: SummaryItem, heads: EntryHeads, page: PageContext): string {
  const body = proseHtml(item.text, "answer", page.budget) || '<p class="empty">Empty summary</p>';
  const kept = item.keeps_nothing ? `<p class="empty">${NOTHING_KEPT}</p>` : "";
  const checkpoint =
    item.checkpoint.length === 0 ? "" : instructionsHtml(item.checkpoint, CHECKPOINT_TITLE, page.budget);
  const details = `<details class="aside"><summary>${REASONS[item.reason]}</summary>${kept}${body}${checkpoint}</details>`;
  return `${heads.open(item, "summary", null)}${details}</article>`;
}
