import type { TranscriptItem } from "@sm/core";
import { t } from "../i18n/text.ts";

const SPEAKERS = {
  user: "transcript.user",
  assistant: "transcript.assistant",
  system: "transcript.system",
  custom: "transcript.extension",
  client: "transcript.client",
} as const;

/**
 * Name of the speaker, or of the kind of entry.
 *
 * @param owner the name of the other user whose session it is; `null`: it is one's own.
 */
export function speakerName(item: TranscriptItem, owner: string | null): string {
  switch (item.kind) {
    case "message":
      return owner !== null && item.role === "user" ? owner : t(SPEAKERS[item.role]);
    case "bash":
      return owner ?? t("transcript.user");
    case "tool_result":
      return t("transcript.assistant");
    case "summary":
      return t("transcript.summary");
    case "note":
      return t("transcript.note");
  }
}
