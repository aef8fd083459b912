import { statSync } from "node:fs";
import { AppError } from "../errors.ts";
import { exportJson } from "../export/json.ts";
import { exportMarkdown } from "../export/markdown.ts";
import type { SessionFormat } from "../format/format.ts";
import { formatNamed } from "../format/formats.ts";
import type { JsonObject } from "../json.ts";
import type { EntriesOptions, EntriesPage, ExportOptions, TreeEntry } from "../library.ts";
import type { Outline, OutlineEntry } from "../session/outline.ts";
import { firstOf, lastOf } from "../session/page.ts";
import { type SessionFold, syntheticId } from "../session/summary.ts";
import { formatTimestamp } from "../session/timestamp.ts";
import type { Transcript, TranscriptItem } from "../session/transcript.ts";
import { branchEnds, branchTo, withoutCycles } from "../session/tree.ts";
import { appendName } from "./append.ts";
import { changedMeanwhile, fileError } from "./file-errors.ts";
import { writeFork } from "./fork.ts";
import type { Catalog } from "./index/catalog.ts";
import { SessionFile, sameStamp, stampOf, withSessionFile } from "./session-file.ts";

const PREVIEW_LENGTH = 120;
/** Lines of one page; it ends before its limit where they would be more, since it is held in memory whole. */
const LARGEST_PAGE_BYTES = 64 * 1024 * 1024;
/** Entries of a tree that are handed over at once, and what is read for them: others wait for the thread meanwhile. */
const TREE_BATCH = 512;
const TREE_BATCH_BYTES = 4 * 1024 * 1024;
/** Text handed over at once when a session is exported. */
const EXPORT_CHUNK_CHARACTERS = 64 * 1024;

/** A session with its tree, ready for reading single entries. */
interface OpenSession {
  path: string;
  fold: SessionFold;
  format: SessionFormat;
  parents: Int32Array;
  /** So many entries have been parsed, and were what they had been skimmed for. */
  parsedCount: number;
  /** Bytes of the file that the outline covers. */
  end: number;
}

/** Reads the content of sessions: pages, trees, branches, exports. */
export class SessionReader {
  readonly #catalog: Catalog | null;

  constructor(catalog: Catalog | null) {
    this.#catalog = catalog;
  }

  entries(options: EntriesOptions): EntriesPage {
    return this.#reading(options.path, (session) => this.#entries(session, options));
  }

  #entries(session: OpenSession, options: EntriesOptions): EntriesPage {
    const { fold, parents } = session;
    const { outline } = fold;
    const leaf = leafOf(session, options.leaf_id);
    const branch = branchTo(parents, leaf);
    const { from, to } = pageOf(outline, branch, options);
    const page = [...branch.subarray(from, to)];
    const end = page.reduce((farthest, ordinal) => Math.max(farthest, endOf(outline, ordinal)), 0);
    return withSessionFile(options.path, (file) => ({
      header: headerOf(session, file),
      entries: page.map((ordinal) => storedEntry(session, file, ordinal, end)),
      leaf_id: leaf < 0 ? null : outline.id(leaf),
      leaves: branchEnds(parents, (ordinal) => outline.isConversation(ordinal)).map((ordinal) => outline.id(ordinal)),
      labels: fold.state.labels,
      total: branch.length,
      has_more_before: from > 0,
      has_more_after: to < branch.length,
    }));
  }

  /** Starts reading every entry, in batches. The file is opened for the first one. */
  tree(path: string): Generator<TreeEntry[]> {
    return treeOf(this.#open(path));
  }

  /** Starts an export that is read piece by piece; the file is opened for each piece anew. */
  export(options: ExportOptions): { title: string; chunks: AsyncGenerator<Uint8Array> } {
    const session = this.#open(options.path);
    const record = session.fold.record({ path: options.path, size: session.end, modifiedAt: 0 });
    const leaf = leafOf(session, options.leaf_id);
    const everything = options.format === "json" && options.leaf_id === undefined;
    const ordinals = everything ? session.parents.keys() : branchTo(session.parents, leaf);
    const transcript: Transcript = {
      session_id: record.id,
      name: record.name,
      title: record.title,
      cwd: record.cwd,
      created_at: record.created_at,
      models: record.models,
      usage: record.usage,
      items: itemsOf(session, ordinals),
    };
    const choice = { includeThinking: options.include_thinking, includeTools: options.include_tools };
    const text = options.format === "json" ? exportJson(transcript, choice) : exportMarkdown(transcript, choice);
    return { title: record.title, chunks: encoded(text) };
  }

  /** Names a session in its file, see {@link appendName}. */
  rename(path: string, name: string): void {
    const { fold, format } = this.#open(path);
    appendName(path, { format, name, hasTree: hasTree(fold), isTaken: (id) => fold.has(id) });
  }

  /** Writes the branch that ends at `entryId` as a session of its own, see {@link writeFork}. */
  fork(path: string, entryId: string | null): string {
    const session = this.#open(path);
    const { fold, parents } = session;
    const { outline } = fold;
    const leaf = leafOf(session, entryId ?? undefined);
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
        header: headerOf(session, file),
        hasTree: hasTree(fold),
        lines: placesOf(outline, branch),
        isTaken: (id) => fold.has(id),
        leafId: leaf < 0 ? null : outline.id(leaf),
        labels,
      });
    });
  }

  /** The index answers where it knows the file as it is; otherwise the file is read. */
  #open(path: string): OpenSession {
    const known = this.#catalog?.find(path) ?? null;
    const current = known?.status === "session" && sameStamp(known.stamp, stampOf(statSync(path))) ? known : null;
    if (current !== null && this.#catalog !== null) {
      const { key, indexedCount, progress } = current;
      return openSession(path, this.#catalog.fold(key), { parsedCount: indexedCount, end: progress.bytes });
    }
    return readExactly(path);
  }

  /** Calls `read`; once more where a line that was skimmed is none, which nobody has noticed yet. */
  #reading<T>(path: string, read: (session: OpenSession) => T): T {
    const session = this.#open(path);
    try {
      return read(session);
    } catch (error) {
      if (session.fold.state.exact || !(error instanceof AppError) || error.code !== "CONFLICT") throw error;
      return read(readExactly(path));
    }
  }
}

function readExactly(path: string): OpenSession {
  const { fold, progress } = withSessionFile(path, (file) => file.read(undefined, true));
  return openSession(path, fold, { parsedCount: fold.outline.count, end: progress.bytes });
}

function openSession(
  path: string,
  fold: SessionFold,
  { parsedCount, end }: Pick<OpenSession, "parsedCount" | "end">,
): OpenSession {
  if (fold.state.format === null) throw new AppError("NOT_FOUND", `${path} holds no session that can be read.`);
  const format = formatNamed(fold.state.format);
  return { path, fold, format, parents: withoutCycles(fold.outline.parents()), parsedCount, end };
}

/** Whether entries have ids and parents; without a header the first entry tells. */
function hasTree({ state, outline }: SessionFold): boolean {
  return state.header?.hasTree ?? outline.id(0) !== syntheticId(0);
}

/** Labels as these entries leave them, by target. */
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

/** The leaf asked for, else the newest; -1 in a session without entries. */
function leafOf({ fold: { outline } }: OpenSession, id: string | undefined): number {
  if (id === undefined) return outline.count - 1;
  const leaf = outline.ordinalOf(id);
  if (leaf < 0) throw new AppError("NOT_FOUND", `The session has no entry ${id}.`);
  return leaf;
}

/** Where a page begins on its branch, and where the rest of the branch does. */
function pageOf(outline: Outline, branch: Int32Array, { after, before, limit }: EntriesOptions) {
  const placeOf = (id: string, field: string) => {
    const place = branch.indexOf(outline.ordinalOf(id));
    if (place < 0) throw notInBranch(id, field);
    return place;
  };
  const from = after === undefined ? 0 : placeOf(after, "after") + 1;
  const to = before === undefined ? branch.length : placeOf(before, "before");
  const sizeOf = (place: number) => outline.at(branch[place] ?? 0).length;
  // With `after` a reader goes forward; otherwise the newest entries are wanted.
  const most = { count: limit, size: LARGEST_PAGE_BYTES };
  return after === undefined ? lastOf({ from, to }, most, sizeOf) : firstOf({ from, to }, most, sizeOf);
}

function endOf(outline: Outline, ordinal: number): number {
  const { offset, length } = outline.at(ordinal);
  return offset + length;
}

function* placesOf(outline: Outline, ordinals: Iterable<number>): Generator<{ offset: number; length: number }> {
  for (const ordinal of ordinals) yield outline.at(ordinal);
}

function notInBranch(id: string, field: string): AppError {
  return new AppError("INVALID_PAYLOAD", `The entry ${id} is not on this branch.`, {
    details: [{ path: field, message: "Not an entry of this branch." }],
  });
}

/** `until`: where the reader will stop, so that no more is read ahead than is needed. */
function lineOf(session: OpenSession, file: SessionFile, ordinal: number, until: number): JsonObject {
  const { offset, length } = session.fold.outline.at(ordinal);
  const line = file.line(offset, length, until);
  if (line === null) throw changedMeanwhile(session.path);
  return line;
}

/** An entry as stored; where the format has no ids and parents, with those of the tree. */
function storedEntry(session: OpenSession, file: SessionFile, ordinal: number, until: number): JsonObject {
  const line = lineOf(session, file, ordinal, until);
  if (typeof line.id === "string" && "parentId" in line) return line;
  const { outline } = session.fold;
  const parent = session.parents[ordinal] ?? -1;
  return { ...line, id: outline.id(ordinal), parentId: parent < 0 ? null : outline.id(parent) };
}

function headerOf(session: OpenSession, file: SessionFile): JsonObject | null {
  const place = session.fold.state.header_line;
  return place === null ? null : file.line(place.offset, place.length, place.offset + place.length);
}

/** Every entry in file order. Where a line that was skimmed is none, the rest is what an exact reading finds. */
function* treeOf(opened: OpenSession): Generator<TreeEntry[]> {
  let session = opened;
  const file = openAgain(session.path);
  try {
    let batch: TreeEntry[] = [];
    let bytes = 0;
    for (let ordinal = 0; ordinal < session.fold.outline.count; ordinal++) {
      const entry = session.fold.outline.at(ordinal);
      const content = contentOf(session, file, ordinal, entry);
      if (content === null) {
        if (session.fold.state.exact) throw changedMeanwhile(session.path);
        session = readExactly(session.path);
        ordinal = firstFrom(session.fold.outline, entry.offset) - 1;
        continue;
      }
      batch.push(treeEntry(session, ordinal, entry, content));
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

type EntryContent = Pick<TreeEntry, "type" | "preview">;

/** What a line says, `null` where it is none: long results of tools are not parsed for the second time. */
function contentOf(
  { format, parsedCount, end }: OpenSession,
  file: SessionFile,
  ordinal: number,
  { offset, length, role }: OutlineEntry,
): EntryContent | null {
  if (role === "tool" && ordinal < parsedCount) {
    const preview = format.skimPreview?.(file.rawLine(offset, length, end), PREVIEW_LENGTH) ?? null;
    if (preview !== null) return { type: "message", preview };
  }
  const line = file.line(offset, length, end);
  if (line === null) return null;
  return { type: typeof line.type === "string" ? line.type : "", preview: format.preview(line, PREVIEW_LENGTH) };
}

function treeEntry(
  { fold, parents }: OpenSession,
  ordinal: number,
  { id, role, timestamp }: OutlineEntry,
  { type, preview }: EntryContent,
): TreeEntry {
  const { outline } = fold;
  const { labels } = fold.state;
  const parent = parents[ordinal] ?? -1;
  return {
    id,
    parent_id: parent < 0 ? null : outline.id(parent),
    type,
    role: role === "name" || role === "label" ? null : role,
    preview,
    timestamp: formatTimestamp(timestamp),
    label: Object.hasOwn(labels, id) ? (labels[id] ?? null) : null,
  };
}

/** The first entry that begins at or behind an offset. */
function firstFrom(outline: Outline, offset: number): number {
  let ordinal = 0;
  while (ordinal < outline.count && outline.at(ordinal).offset < offset) ordinal++;
  return ordinal;
}

/** The file stays open until the last item was taken or the generator is returned. */
function* itemsOf(session: OpenSession, ordinals: Iterable<number>): Generator<TranscriptItem> {
  const { outline } = session.fold;
  const file = openAgain(session.path);
  try {
    for (const ordinal of ordinals) {
      const parent = session.parents[ordinal] ?? -1;
      const parentId = parent < 0 ? null : outline.id(parent);
      yield session.format.item(lineOf(session, file, ordinal, session.end), outline.id(ordinal), parentId);
    }
  } finally {
    file.close();
  }
}

/** An export opens the file when its first piece is asked for: it may be gone by then. */
function openAgain(path: string): SessionFile {
  try {
    return new SessionFile(path);
  } catch (error) {
    throw fileError(error, "read", path) ?? error;
  }
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting: string[] = [];
  let characters = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    characters += piece.length;
    if (characters < EXPORT_CHUNK_CHARACTERS) continue;
    yield encoder.encode(waiting.join(""));
    waiting = [];
    characters = 0;
  }
  if (characters > 0) yield encoder.encode(waiting.join(""));
}
