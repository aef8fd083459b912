import { AppError } from "../errors.ts";
import { formatNamed } from "../format/formats.ts";
import type { JsonObject } from "../json.ts";
import type { Outline } from "./outline.ts";
import { layOutRuns } from "./runs.ts";
import type { SessionFold } from "./session-fold.ts";
import type { SessionFileFacts } from "./summary.ts";
import type { ContextEdit, Transcript, TranscriptItem, TranscriptRun } from "./transcript.ts";
import { branchTo } from "./tree.ts";

/** Content and order of a transcript: the whole tree in runs, one branch, or all entries in file order. */
export type TranscriptOrder = "tree" | "branch" | "file";

export interface TranscriptChoice {
  order: TranscriptOrder;
  /** Any entry: only the branch from the root to it. */
  leaf_id: string | undefined;
}

/** A session with readable entries. */
export interface ReadableSession {
  fold: SessionFold;
  /** Without cycles. */
  parents: Int32Array;
  source: SessionFileFacts;
}

export interface TranscriptLayout {
  ordinals: Int32Array;
  runs: TranscriptRun[] | null;
  /** The last entry of the branch; `null` for the whole session. */
  leaf: number | null;
}

/** @throws AppError NOT_FOUND if there is no entry `leaf_id`. */
export function transcriptLayout({ fold, parents }: ReadableSession, choice: TranscriptChoice): TranscriptLayout {
  const { outline } = fold;
  if (choice.leaf_id === undefined && choice.order === "tree") {
    return { ...layOutRuns(parents, (ordinal) => outline.isConversation(ordinal)), leaf: null };
  }
  if (choice.leaf_id === undefined && choice.order === "file") {
    return { ordinals: Int32Array.from(parents.keys()), runs: null, leaf: null };
  }
  const leaf = leafOf(outline, choice.leaf_id);
  const ordinals = branchTo(parents, leaf);
  return { ordinals, runs: ordinals.length === 0 ? [] : [{ parent: -1, count: ordinals.length, shown: true }], leaf };
}

/** A transcript with the data known before its entries are read. */
export function transcriptOf(
  { fold, source }: ReadableSession,
  { runs }: TranscriptLayout,
  items: Transcript["items"],
): Transcript {
  const record = fold.record(source);
  return {
    session_id: record.id,
    name: record.name,
    title: record.title,
    cwd: record.cwd,
    created_at: record.created_at,
    modified_at: record.modified_at,
    models: record.models,
    usage: record.usage,
    message_count: record.message_count,
    user_message_count: record.user_message_count,
    tool_call_count: record.tool_call_count,
    labels: fold.state.labels,
    runs,
    items,
    redactions: null,
  };
}

/** A transcript item from an entry's line. */
export function transcriptItem(
  { fold, parents }: ReadableSession,
  ordinal: number,
  line: JsonObject,
  edit: ContextEdit | null,
): TranscriptItem {
  const { outline, state } = fold;
  const parent = parents[ordinal] ?? -1;
  const parentId = parent < 0 ? null : outline.id(parent);
  const place = { id: outline.id(ordinal), parentId, role: outline.role(ordinal) };
  const item = formatNamed(state.format ?? "pi").item(line, place);
  return "context_edit" in item ? { ...item, context_edit: edit } : item;
}

/**
 * The requested leaf, else the newest; -1 in a session without entries.
 *
 * @throws AppError NOT_FOUND if there is no such entry.
 */
export function leafOf(outline: Outline, id: string | undefined): number {
  if (id === undefined) return outline.count - 1;
  const leaf = outline.ordinalOf(id);
  if (leaf < 0) throw new AppError("NOT_FOUND", `The session has no entry ${id}.`);
  return leaf;
}
