import {
  agentName,
  CONVERTED_FROM,
  isJsonObject,
  type JsonValue,
  type NoteItem,
  oneLine,
  type SummaryItem,
} from "@sm/core";
import { Archive, GitBranch } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "../i18n/text.ts";
import { Prose } from "./content/prose.tsx";
import { DataBlock } from "./data-block.tsx";
import { Disclosure } from "./disclosure.tsx";
import { useEntryContext } from "./entry-context.ts";
import { Checkpoint } from "./instructions.tsx";
import { UsageText } from "./usage-text.tsx";

/** Names and models come from the transcript, and may be of any length there. */
const LONGEST = 300;

/** Renders an entry without conversation as one line; data of extensions and unknown types as JSON. */
export function NoteBody({ item }: { item: NoteItem }) {
  const line = useNoteLine(item);
  if (line !== null) {
    const { usage } = item;
    return (
      <p className="note">
        {line}
        {usage !== null && usage.total_tokens > 0 && " · "}
        <UsageText usage={usage} />
      </p>
    );
  }
  return (
    <Disclosure kind="asides" id={item.id} className="aside" summary={<span>{dataTitle(item)}</span>}>
      {() => <DataBlock value={item.value} />}
    </Disclosure>
  );
}

function useNoteLine({ type, value }: NoteItem): ReactNode {
  const { goTo } = useEntryContext();
  switch (type) {
    case "model_change":
      return t("transcript.model_changed", { model: names(value.provider, value.modelId) });
    case "thinking_level_change":
      return t("transcript.thinking_level", { level: names(value.thinkingLevel) });
    case "session_info":
      return isName(value.name) ? t("transcript.named", { name: lineOf(value.name) }) : t("transcript.name_removed");
    case "label": {
      const { targetId, label } = value;
      if (typeof targetId !== "string") return null;
      return (
        <button type="button" className="link" onClick={() => goTo(targetId)}>
          {isName(label) ? t("transcript.label_set", { label: lineOf(label) }) : t("transcript.label_removed")}
        </button>
      );
    }
    case "context_edit": {
      const { targetId, replacement } = value;
      if (typeof targetId !== "string") return null;
      return (
        <button type="button" className="link" onClick={() => goTo(targetId)}>
          {t(isJsonObject(replacement) ? "transcript.edit_replaces" : "transcript.edit_removes")}
        </button>
      );
    }
    case "usage": {
      const line =
        value.kind === "cache_warm"
          ? t("transcript.cache_warm")
          : t("transcript.usage_of", { kind: names(value.kind) });
      return isName(value.note) ? `${line} (${lineOf(value.note)})` : line;
    }
    case "custom": {
      const { customType, data } = value;
      if (customType !== CONVERTED_FROM || !isJsonObject(data)) return null;
      const { format, session_id } = data;
      if (!isName(format) || !isName(session_id)) return null;
      return t("transcript.converted_from", { agent: lineOf(agentName(format)), id: lineOf(session_id) });
    }
    default:
      return null;
  }
}

function dataTitle({ type, value }: NoteItem): string {
  if (type === "custom") return t("transcript.extension_data", { name: names(value.customType) });
  return t("transcript.unknown_entry", { type: lineOf(type) });
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function names(...values: (JsonValue | undefined)[]): string {
  const known = values.filter(isName);
  return known.length === 0 ? t("transcript.unknown") : lineOf(known.join("/"));
}

function lineOf(text: string): string {
  return oneLine(text, LONGEST);
}

/** Shows a summary that stands for a part of the conversation. */
export function SummaryBody({ item }: { item: SummaryItem }) {
  const Icon = item.reason === "compaction" ? Archive : GitBranch;
  return (
    <Disclosure
      kind="asides"
      id={item.id}
      className="aside summary-of"
      summary={
        <>
          <Icon aria-hidden className="call-icon" strokeWidth={1.75} />
          <span>{t(item.reason === "compaction" ? "transcript.compaction" : "transcript.branch_summary")}</span>
          <UsageText usage={item.usage} />
        </>
      }
    >
      {() => (
        <>
          {item.keeps_nothing && <p className="quiet">{t("transcript.keeps_nothing")}</p>}
          {item.text.trim() === "" ? (
            <p className="quiet">{t("transcript.empty_summary")}</p>
          ) : (
            <Prose text={item.text} style="answer" />
          )}
          {item.checkpoint.length > 0 && <Checkpoint id={`${item.id} checkpoint`} blocks={item.checkpoint} />}
        </>
      )}
    </Disclosure>
  );
}
