import type { EntriesOptions, ExportOptions, FindOptions, FindPage, RedactionOptions, TreeEntry } from "../../index.ts";
import type { ExportPiece, Named, PreviewPiece } from "./export-session.ts";

/** Thread tasks for single sessions. */
export type ReadingTasks = {
  /** JSON text of an `EntriesPage`, in UTF-8. */
  entries: { input: EntriesOptions; output: Uint8Array };
  /** JSON text of a `TranscriptPage`, in UTF-8. */
  transcript: { input: EntriesOptions; output: Uint8Array };
  /** JSON text of a `ToolOutput`, in UTF-8. */
  toolOutput: { input: { path: string; entry_id: string }; output: Uint8Array };
  find: { input: FindOptions; output: FindPage };
  treeStart: { input: { path: string }; output: { stream: string } };
  treeNext: { input: { stream: string }; output: TreeEntry[] | null };
  treeStop: { input: { stream: string }; output: null };
  exportStart: { input: Named<ExportOptions>; output: { stream: string; title: string; cwd: string | null } };
  exportNext: { input: { stream: string }; output: ExportPiece | null };
  exportStop: { input: { stream: string }; output: null };
  previewStart: { input: Named<RedactionOptions>; output: { stream: string } };
  previewNext: { input: { stream: string }; output: PreviewPiece | null };
  previewStop: { input: { stream: string }; output: null };
  rename: { input: { path: string; name: string }; output: null };
  /** Returns the path of the new file. */
  fork: { input: { path: string; entryId: string | null }; output: string };
};
