import type { JsonObject } from "@sm/core";
import { useEffect, useState } from "react";
import { Dialog } from "../design/dialog.tsx";
import { Skeleton } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { DataBlock } from "./data-block.tsx";

interface SourceDialogProps {
  /** `null`: it is closed. */
  entryId: string | null;
  /** Reads an entry as its agent has stored it. */
  sourceOf(entryId: string): Promise<JsonObject>;
  onClose(): void;
}

/** Shows an entry as its agent has stored it. */
export function SourceDialog({ entryId, sourceOf, onClose }: SourceDialogProps) {
  return (
    <Dialog
      open={entryId !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t("transcript.source")}
      description={t("transcript.source_text")}
      size="lg"
    >
      {entryId !== null && <Source key={entryId} entryId={entryId} sourceOf={sourceOf} />}
    </Dialog>
  );
}

function Source({ entryId, sourceOf }: { entryId: string; sourceOf: SourceDialogProps["sourceOf"] }) {
  const [source, setSource] = useState<JsonObject | "failed" | null>(null);
  useEffect(() => {
    let isGone = false;
    const set = (value: JsonObject | "failed") => {
      if (!isGone) setSource(value);
    };
    sourceOf(entryId).then(set, () => set("failed"));
    return () => {
      isGone = true;
    };
  }, [entryId, sourceOf]);
  if (source === null) return <Skeleton className="h-24 w-full" />;
  if (source === "failed") return <p className="quiet">{t("transcript.failed_to_load")}</p>;
  return <DataBlock value={source} />;
}
