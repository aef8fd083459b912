import type { JsonObject } from "../../json.ts";
import type {
  EntriesOptions,
  ExportOptions,
  FindOptions,
  FindPage,
  RedactionOptions,
  TreeEntry,
} from "../../library.ts";
import type { Outline, OutlineEntry } from "../../session/outline.ts";
import { type SessionFold, syntheticId } from "../../session/summary.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import { leafOf } from "../../session/transcript-layout.ts";
import { branchTo } from "../../session/tree.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { changedMeanwhile } from "../files/file-errors.ts";
import { statPath } from "../files/stat.ts";
import { type SessionFile, sameStamp, stampOf, withSessionFile } from "../session-file/session-file.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { appendName } from "./append.ts";
import { entriesPage } from "./entries-page.ts";
import { exportSession, type PreviewPiece, previewSession, type SessionExport } from "./export-session.ts";
import { findInSession } from "./find-in-session.ts";
import {
  cutEntry,
  endOf,
  isCut,
  lineOf,
  type OpenSession,
  openAgain,
  openSession,
  readSession,
  writerOf,
} from "./open-session.ts";
import { writeFork } from "./write-fork.ts";

const PREVIEW_LENGTH = 120;
/** Entries of a tree per batch: other tasks wait for the thread. */
const TREE_BATCH = 512;
const TREE_BATCH_BYTES = 4 * 1024 * 1024;

/** Reads the content of sessions: pages, trees, branches, exports. */
export class SessionReader {
  readonly #catalog: Catalog | null;

  constructor(catalog: Catalog | null) {
    this.#catalog = catalog;
  }

  /** Reads a page of a branch, see {@link entriesPage}. */
  entries(options: EntriesOptions): Uint8Array {
    return entriesPage(this.#open(options.path), options);
  }

  /** Searches a part of a branch, see {@link findInSession}. */
  find(options: FindOptions, current: CurrentTask): FindPage {
    return findInSession(this.#open(options.path), options, current);
  }

  /** Starts reading all entries in batches. Opens the file for the first one. */
  tree(path: string): Generator<TreeEntry[]> {
    return treeOf(this.#open(path));
  }

  /** Starts a streamed export; opens the file for the first piece. */
  export(options: ExportOptions): SessionExport {
    return exportSession(this.#open(options.path), options);
  }

  /** Starts a preview of redactions; opens the file for the first piece. */
  previewRedactions(options: RedactionOptions): AsyncGenerator<PreviewPiece> {
    return previewSession(this.#open(options.path), options);
  }

  /** Names a session in its file, see {@link appendName}. */
  rename(path: string, name: string): void {
    const session = this.#open(path);
    const { fold, inode } = session;
    const writer = writerOf(session);
    appendName(path, { writer, inode, name, hasTree: hasTree(fold), isTaken: (id) => fold.has(id) });
  }

  /** Writes the branch that ends at `entryId` as a new session, see {@link writeFork}. */
  fork(path: string, entryId: string | null): string {
    const session = this.#open(path);
    const writer = writerOf(session);
    const { fold, parents } = session;
    const { outline } = fold;
    const leaf = leafOf(session.fold.outline, entryId ?? undefined);
    const branch = branchTo(parents, leaf);
    const isOnBranch = new Uint8Array(outline.count);
    for (const ordinal of branch) isOnBranch[ordinal] = 1;
    return withSessionFile(path, (file) => {
      const setOnBranch = labelsSetOn(session, file, branch);
      const labels = [...labelsSetOn(session, file, parents.keys())].flatMap(([targetId, { label, timestamp }]) => {
        const isOther = (setOnBranch.get(targetId)?.label ?? null) !== label;
        return isOnBranch[outline.ordinalOf(targetId)] === 1 && isOther ? [{ targetId, label, timestamp }] : [];
      });
      return writeFork(path, file, {
        writer,
        header: headerOf(session, file),
        hasTree: hasTree(fold),
        lines: placesOf(outline, branch),
        isTaken: (id) => fold.has(id),
        leafId: leaf < 0 ? null : outline.id(leaf),
        labels,
      });
    });
  }

  /** Uses the index if it has the file's current state; otherwise reads the file. */
  #open(path: string): OpenSession {
    const known = this.#catalog?.find(path) ?? null;
    const found = known?.status === "session" ? statPath(path) : undefined;
    const stamp = found === undefined ? null : stampOf(found);
    if (this.#catalog === null || known === null || stamp === null || !sameStamp(known.stamp, stamp)) {
      return readSession(path);
    }
    const { key, progress } = known;
    const source = { path, size: progress.bytes, modifiedAt: stamp.mtime };
    return openSession(this.#catalog.fold(key), source, stamp.inode);
  }
}

/** Whether entries have IDs and parents; without a header, the first entry decides. */
function hasTree({ state, outline }: SessionFold): boolean {
  return state.header?.hasTree ?? outline.id(0) !== syntheticId(0);
}

/** Labels after these entries, by target. */
function labelsSetOn(session: OpenSession, file: SessionFile, ordinals: Iterable<number>) {
  const set = new Map<string, { label: string | null; timestamp: string | null }>();
  const { outline } = session.fold;
  for (const ordinal of ordinals) {
    if (outline.role(ordinal) !== "label") continue;
    const { label } = session.format.facts(lineOf(session, file, ordinal, endOf(outline, ordinal)));
    if (label === undefined) continue;
    set.set(label.targetId, { label: label.label, timestamp: formatTimestamp(outline.at(ordinal).timestamp) });
  }
  return set;
}

function* placesOf(outline: Outline, ordinals: Iterable<number>): Generator<{ offset: number; length: number }> {
  for (const ordinal of ordinals) yield outline.at(ordinal);
}

function headerOf(session: OpenSession, file: SessionFile): JsonObject | null {
  const place = session.fold.state.header_line;
  return place === null ? null : file.line(place.offset, place.length, place.offset + place.length);
}

/** All entries in file order. */
function* treeOf(session: OpenSession): Generator<TreeEntry[]> {
  const { outline } = session.fold;
  const file = openAgain(session.source.path);
  try {
    let batch: TreeEntry[] = [];
    let bytes = 0;
    for (let ordinal = 0; ordinal < outline.count; ordinal++) {
      const entry = outline.at(ordinal);
      batch.push(treeEntry(session, ordinal, entry, contentOf(session, file, entry)));
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

type EntryContent = Pick<TreeEntry, "type" | "preview" | "target_id">;

/**
 * Content of a line; long tool results are not parsed for it.
 *
 * @throws AppError CONFLICT if the line has changed.
 */
function contentOf({ format, source }: OpenSession, file: SessionFile, entry: OutlineEntry): EntryContent {
  const { offset, length, role } = entry;
  if (role === "tool") {
    const preview = format.skimPreview?.(file.rawLine(offset, length, source.size), PREVIEW_LENGTH) ?? null;
    if (preview !== null) return { type: "message", preview, target_id: null };
  }
  const line = isCut(entry) ? cutEntry(file, entry) : file.line(offset, length, source.size);
  if (line === null) throw changedMeanwhile(source.path);
  const namesTarget = role === "label" || role === "context_edit";
  const facts = namesTarget ? format.facts(line) : null;
  return {
    type: typeof line.type === "string" ? line.type : "",
    preview: format.preview(line, PREVIEW_LENGTH),
    target_id: facts?.editedId ?? facts?.label?.targetId ?? null,
  };
}

function treeEntry(
  { fold, parents }: OpenSession,
  ordinal: number,
  { id, role, conversation, timestamp }: OutlineEntry,
  { type, preview, target_id }: EntryContent,
): TreeEntry {
  const { outline } = fold;
  const { labels } = fold.state;
  const parent = parents[ordinal] ?? -1;
  return {
    id,
    parent_id: parent < 0 ? null : outline.id(parent),
    type,
    role: role === "name" || role === "label" || role === "context_edit" ? null : role,
    conversation,
    preview,
    target_id,
    timestamp: formatTimestamp(timestamp),
    label: Object.hasOwn(labels, id) ? (labels[id] ?? null) : null,
  };
}
