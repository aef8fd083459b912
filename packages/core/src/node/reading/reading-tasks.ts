import type { ChangeCounts, ChangesOptions, SessionChanges } from "../../changes.ts";
import type { EntriesOptions, FindOptions, FindPage, TreeEntry, TreeSubagent } from "../../index.ts";
import type { ExportPiece, ExportTask, PreviewPiece, PreviewTask } from "./export-session.ts";

/** How a session is written as one of pi. */
export interface ConversionTask {
  entryId: string | null;
  /** Where the new file is written to; made if it is missing. */
  folder: string;
  /** Where the new session goes on. */
  cwd: string;
  /** Given by the user; `null`: the title that the agent has given, if any. */
  name: string | null;
}

/** Thread tasks for single sessions. */
export type ReadingTasks = {
  /** JSON text of an `EntriesPage`, in UTF-8. */
  entries: { input: EntriesOptions; output: Uint8Array };
  /** JSON text of a `TranscriptPage`, in UTF-8. */
  transcript: { input: EntriesOptions; output: Uint8Array };
  /** JSON text of a `ToolOutput`, in UTF-8. */
  toolOutput: { input: { path: string; entry_id: string }; output: Uint8Array };
  /** Bytes of a session whose file is gone; `null` if it is not kept, none at the end. */
  keptBytes: { input: { path: string; offset: number; length: number }; output: Uint8Array | null };
  find: { input: FindOptions; output: FindPage };
  changes: { input: ChangesOptions; output: SessionChanges };
  changeCounts: { input: { path: string }; output: ChangeCounts };
  treeStart: { input: { path: string; subagents?: TreeSubagent[] }; output: { stream: string } };
  treeNext: { input: { stream: string }; output: TreeEntry[] | null };
  treeStop: { input: { stream: string }; output: null };
  exportStart: { input: ExportTask; output: { stream: string; title: string; cwd: string | null } };
  exportNext: { input: { stream: string }; output: ExportPiece | null };
  exportStop: { input: { stream: string }; output: null };
  previewStart: { input: PreviewTask; output: { stream: string } };
  previewNext: { input: { stream: string }; output: PreviewPiece | null };
  previewStop: { input: { stream: string }; output: null };
  rename: { input: { path: string; name: string }; output: null };
  label: { input: { path: string; entryId: string; label: string | null }; output: null };
  /** Returns the path of the new file. */
  fork: { input: { path: string; entryId: string | null }; output: string };
  /** Returns the path of the new file. */
  convert: { input: ConversionTask & { path: string }; output: string };
  /** Markdown text. */
  brief: { input: { path: string; entryId: string | null; title: string; words: readonly string[] }; output: string };
};
