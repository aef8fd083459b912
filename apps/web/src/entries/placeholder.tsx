import { Skeleton } from "../design/placeholder.tsx";
import { useEntryContext } from "./entry-context.ts";
import { previewText } from "./preview-text.ts";

/** Stands for an entry that is on its way: with the beginning of what it says, once the tree is known. */
export function Placeholder({ entryId }: { entryId: string | null }) {
  const { tree } = useEntryContext();
  const entry = entryId === null ? null : (tree?.entry(entryId) ?? null);
  // A result is shown with its call.
  if (entry?.role === "tool") return null;
  return (
    <div className="placeholder" aria-hidden>
      {entry === null || entry.preview === "" ? (
        <>
          <Skeleton className="h-4 w-40" />
          <Skeleton className="mt-2 h-4 w-full" />
        </>
      ) : (
        <p>{previewText(entry)}</p>
      )}
    </div>
  );
}
