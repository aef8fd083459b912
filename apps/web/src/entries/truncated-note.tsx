import { formatBytes } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { useEntryContext } from "./entry-context.ts";

/** Says of an entry that it was too large to be shown whole, and saves all of it. */
export function TruncatedNote({ entryId }: { entryId: string }) {
  const { truncated, saveEntry } = useEntryContext();
  const entry = truncated.get(entryId);
  if (entry === undefined) return null;
  return (
    <p className="note">
      {t("transcript.truncated", { size: formatBytes(entry.size_bytes) })}{" "}
      <button type="button" className="link" onClick={() => saveEntry(entry)}>
        {t("transcript.save_entry")}
      </button>
    </p>
  );
}
