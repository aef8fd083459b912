import type { LiveQuestion } from "@sm/core";
import { t } from "../i18n/text.ts";

/** Says what an agent waits for: the question, or its kind where it has no title. */
export function questionText({ kind, title }: LiveQuestion): string {
  return title ?? t(`live.asks_${kind}`);
}
