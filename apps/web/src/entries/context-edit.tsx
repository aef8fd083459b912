import type { TranscriptBlock } from "@sm/core";
import { EyeOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Skeleton } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { Disclosure } from "./disclosure.tsx";
import { useEntryContext } from "./entry-context.ts";
import { ResultBlock } from "./result-block.tsx";

function editTitle(preview: string): string {
  return t(preview === "" ? "transcript.edit_removed" : "transcript.edit_replaced");
}

/** Marks an entry of which the model sees something else, with what it sees; nothing where there is nothing to mark. */
export function ContextEditMark({ entryId }: { entryId: string }) {
  const { contextEdits, goTo } = useEntryContext();
  const edit = contextEdits.get(entryId);
  if (edit === undefined) return null;
  const title = editTitle(edit.preview);
  const link = (
    <button type="button" className="link" onClick={() => goTo(edit.id)}>
      {t("transcript.edit_place")}
    </button>
  );
  if (edit.preview === "") {
    return (
      <p className="edited">
        <EyeOff aria-hidden className="call-icon" strokeWidth={1.75} />
        {title} · {link}
      </p>
    );
  }
  return (
    <Disclosure
      kind="asides"
      id={`${entryId} edit`}
      className="aside edited"
      summary={
        <>
          <EyeOff aria-hidden className="call-icon" strokeWidth={1.75} />
          <span>{title}</span>
        </>
      }
    >
      {() => (
        <>
          <Replacement entryId={entryId} editId={edit.id} />
          <p>{link}</p>
        </>
      )}
    </Disclosure>
  );
}

/** Tells in the line of a call that the model sees something else of its result. */
export function ContextEditSign({ entryId }: { entryId: string }) {
  const edit = useEntryContext().contextEdits.get(entryId);
  if (edit === undefined) return null;
  const title = editTitle(edit.preview);
  return (
    <span className="edited-sign" title={title}>
      <EyeOff aria-hidden size={14} strokeWidth={1.75} />
      <span className="sr-only">{title}</span>
    </span>
  );
}

function Replacement({ entryId, editId }: { entryId: string; editId: string }) {
  const { replacementOf } = useEntryContext();
  const [blocks, setBlocks] = useState<TranscriptBlock[] | "failed" | null>(null);
  useEffect(() => {
    let isGone = false;
    const set = (value: TranscriptBlock[] | "failed") => {
      if (!isGone) setBlocks(value);
    };
    replacementOf(entryId, editId).then(
      (found) => set(found ?? []),
      () => set("failed"),
    );
    return () => {
      isGone = true;
    };
  }, [entryId, editId, replacementOf]);
  if (blocks === null) return <Skeleton className="h-4 w-40" />;
  if (blocks === "failed") return <p className="quiet">{t("transcript.failed_to_load")}</p>;
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they never change
    <ResultBlock key={at} block={block} path={null} failed={false} />
  ));
}
