import type { EntriesOptions, TreeEntry, TruncatedEntry } from "../../library.ts";
import { editReader, newestEdits } from "../../session/context-edits.ts";
import type { TranscriptItem } from "../../session/transcript.ts";
import { transcriptItem } from "../../session/transcript-layout.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import { planPage } from "./branch-page.ts";
import { endOf, isCut, lineOf, type OpenSession } from "./open-session.ts";
import { treeEntry } from "./tree-entries.ts";

/**
 * Reads a page of a branch as transcript items, which show what the branch makes of them: with context edits applied.
 *
 * @returns JSON text of a `TranscriptPage` in UTF-8.
 */
export function transcriptPage(session: OpenSession, options: EntriesOptions): Uint8Array {
  const { outline } = session.fold;
  return withSessionFile(options.path, (file) => {
    const lineAt = (ordinal: number) => lineOf(session, file, ordinal, endOf(outline, ordinal));
    let edits: ReadonlyMap<number, number> = new Map();
    const page = planPage(session, options, (ordinals, leaf) => {
      edits = newestEdits(session, { ordinals, leaf }, lineAt);
      const sizeOf = (ordinal: number | undefined) => (ordinal === undefined ? 0 : outline.at(ordinal).length);
      // A page has the replacement of an entry too, which is in the line of the edit.
      return (ordinal) => sizeOf(ordinal) + sizeOf(edits.get(ordinal));
    });
    const editOf = editReader(session, edits, lineAt);
    const items: TranscriptItem[] = [];
    const entries: TreeEntry[] = [];
    const truncated: TruncatedEntry[] = [];
    for (const ordinal of page.ordinals) {
      const entry = outline.at(ordinal);
      if (isCut(entry)) {
        truncated.push({ entry_id: outline.id(ordinal), offset: entry.offset, size_bytes: entry.length });
      }
      const line = lineOf(session, file, ordinal, page.end);
      items.push(transcriptItem(session, ordinal, line, editOf(ordinal)));
      entries.push(treeEntry(session, ordinal, line));
    }
    return page.json({ items: JSON.stringify(items), entries: JSON.stringify(entries) }, truncated);
  });
}
