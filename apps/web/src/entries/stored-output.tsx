import type { StoredOutput as Stored, ToolOutput } from "@sm/core";
import { useState } from "react";
import { toastError } from "../design/toast.tsx";
import { formatBytes } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { Output } from "./content/output.tsx";
import { useEntryContext } from "./entry-context.ts";

/** Shows all of an output that the agent has moved to a file of its own, on request. */
export function StoredOutput({ entryId, stored }: { entryId: string; stored: Stored }) {
  const { outputOf } = useEntryContext();
  const [output, setOutput] = useState<ToolOutput | null>(null);
  if (output !== null) {
    return (
      <>
        <Output text={output.text} />
        {!output.complete && (
          <p className="note">{t("transcript.output_cut", { size: formatBytes(output.size_bytes) })}</p>
        )}
      </>
    );
  }
  const show = () => outputOf(entryId).then(setOutput, (error) => toastError(t("transcript.output_failed"), error));
  const size = stored.size_bytes === null ? "" : ` (${formatBytes(stored.size_bytes)})`;
  return (
    <p className="note">
      <button type="button" className="link" onClick={() => void show()}>
        {t("transcript.show_output")}
        {size}
      </button>
    </p>
  );
}
