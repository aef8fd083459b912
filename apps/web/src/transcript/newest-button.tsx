import { ArrowDown } from "lucide-react";
import { t } from "../i18n/text.ts";

/** Goes to the newest entry, on whatever branch that is. */
export function NewestButton({ isNewest, onClick }: { isNewest: boolean; onClick(): void }) {
  return (
    <button type="button" className="newest" onClick={onClick}>
      <ArrowDown aria-hidden size={16} />
      {isNewest ? t("transcript.to_end") : t("transcript.to_newest_branch")}
    </button>
  );
}
