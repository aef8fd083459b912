import { type JsonObject, ownValue } from "../../json.ts";
import type { TreeEntry, TreeEntryKind, TreeSubagent } from "../../library.ts";
import type { OutlineEntry } from "../../session/outline.ts";
import type { OutlineRole } from "../../session/roles.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import { changedMeanwhile } from "../files/file-errors.ts";
import type { SessionFile } from "../session-file/session-file.ts";
import { cutEntry, isCut, type OpenSession, openAgain } from "./open-session.ts";

const PREVIEW_LENGTH = 120;
/** Entries of a tree per batch: other tasks wait for the thread. */
const TREE_BATCH = 512;
const TREE_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * All entries in file order.
 *
 * @param subagents of which calls may tell that they have started them.
 */
export function* treeOf(session: OpenSession, subagents: readonly TreeSubagent[] = []): Generator<TreeEntry[]> {
  const { outline } = session.fold;
  const started = new Map(subagents.flatMap((one) => [[one.id, one] as const, [one.path, one] as const]));
  const file = openAgain(session.source.path);
  try {
    let batch: TreeEntry[] = [];
    let bytes = 0;
    for (let ordinal = 0; ordinal < outline.count; ordinal++) {
      const entry = outline.at(ordinal);
      const skimmed = started.size > 0 ? null : skimmedEntry(session, file, ordinal, entry);
      batch.push(skimmed ?? readEntry(session, file, { ordinal, entry }, started));
      bytes += entry.length;
      if (batch.length < TREE_BATCH && bytes < TREE_BATCH_BYTES) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) yield batch;
  } finally {
    file.close();
  }
}

/** An entry as the tree shows it, from its line. */
export function treeEntry(session: OpenSession, ordinal: number, line: JsonObject): TreeEntry {
  const { format } = session;
  const role = session.fold.outline.role(ordinal);
  const facts = role === "label" || role === "context_edit" ? format.facts(line) : null;
  return entryOf(session, ordinal, {
    type: typeof line.type === "string" ? line.type : "",
    kind: (role === null ? undefined : KINDS[role]) ?? format.item(line, { id: "", parentId: null, role }).kind,
    preview: format.preview(line, PREVIEW_LENGTH),
    target_id: facts?.editedId ?? facts?.label?.targetId ?? null,
  });
}

/** Kinds that the role tells; entries without a role may be notes or summaries. */
const KINDS: Readonly<Record<NonNullable<OutlineRole>, TreeEntryKind>> = {
  user: "message",
  assistant: "message",
  custom: "message",
  system: "message",
  tool: "tool_result",
  bash: "bash",
  name: "name",
  label: "label",
  context_edit: "context_edit",
};

/** Long tool results are not parsed; `null` if an entry must be. */
function skimmedEntry(
  session: OpenSession,
  file: SessionFile,
  ordinal: number,
  { offset, length, role }: OutlineEntry,
): TreeEntry | null {
  if (role !== "tool") return null;
  const { format, source } = session;
  const preview = format.skimPreview?.(file.rawLine(offset, length, source.size), PREVIEW_LENGTH) ?? null;
  if (preview === null) return null;
  return entryOf(session, ordinal, { type: "message", kind: "tool_result", preview, target_id: null });
}

/** @throws AppError CONFLICT if the line has changed. */
function readEntry(
  session: OpenSession,
  file: SessionFile,
  { ordinal, entry }: { ordinal: number; entry: OutlineEntry },
  started: ReadonlyMap<string, TreeSubagent>,
): TreeEntry {
  const { source } = session;
  const line = isCut(entry) ? cutEntry(file, entry) : file.line(entry.offset, entry.length, source.size);
  if (line === null) throw changedMeanwhile(source.path);
  const read = treeEntry(session, ordinal, line);
  const subagents = started.size === 0 || entry.role !== "tool" ? [] : startedIn(session, line, started);
  return subagents.length === 0 ? read : { ...read, subagents };
}

/** Agents that the call of a result has started, each once. */
function startedIn(
  { format }: OpenSession,
  line: JsonObject,
  started: ReadonlyMap<string, TreeSubagent>,
): TreeSubagent[] {
  const item = format.item(line, { id: "", parentId: null, role: "tool" });
  const references = item.kind === "tool_result" ? item.subagents : [];
  return [...new Set(references.flatMap((reference) => started.get(reference) ?? []))];
}

type EntryContent = Pick<TreeEntry, "type" | "kind" | "preview" | "target_id">;

function entryOf({ fold, parents }: OpenSession, ordinal: number, content: EntryContent): TreeEntry {
  const { outline } = fold;
  const { labels } = fold.state;
  const { id, role, conversation, timestamp } = outline.at(ordinal);
  const parent = parents[ordinal] ?? -1;
  return {
    id,
    parent_id: parent < 0 ? null : outline.id(parent),
    ...content,
    role: role === "name" || role === "label" || role === "context_edit" ? null : role,
    conversation,
    timestamp: formatTimestamp(timestamp),
    label: ownValue(labels, id) ?? null,
  };
}
